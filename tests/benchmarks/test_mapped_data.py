from benchmarks.mapped_data import measured, write


def test_a_fit_reaches_its_share_of_the_decrease(repository, tmp_path, monkeypatch):
    monkeypatch.chdir(repository)
    write(tmp_path, 2000)
    found = measured(tmp_path, "f1")
    assert float(found["share"].removesuffix(" %")) >= 99.9
    # At least the memory of an interpreter with NumPy.
    assert 0.05 <= found["gigabytes"] < 2
