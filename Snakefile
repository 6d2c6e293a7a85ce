# For calls of `snakemake` in this folder; the workflow is workflow/Snakefile.
include: "workflow/Snakefile"


# Snakemake takes no default target from an included file.
rule everything:
    default_target: True
    input:
        rules.all.input,
    message:
        f"All results of {', '.join(config['papers'])}"
