"""XML whose every fault is a ParseError."""

from xml.etree.ElementTree import Element  # nosec B405 # the type; defusedxml reads

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException

from beyond_accuracy_pipeline.datasets.errors import ParseError


def read_xml(content: bytes, name: str, expected: str) -> Element:
    """The root of an XML file, called ``name`` in errors.

    Raises ParseError, with the line where it is known, for malformed XML, for entities, and for an
    encoding that is unknown or not the content's.
    """
    try:
        return defusedxml.ElementTree.fromstring(content)
    except (SyntaxError, DefusedXmlException, LookupError, ValueError) as error:
        # ElementTree's ParseError is a SyntaxError, defusedxml's a ValueError.
        line = error.position[0] if hasattr(error, "position") else None
        raise ParseError(name, line, f"bad XML ({error})", expected) from error
