rule prepare:
    input:
        entries=preparation_inputs,
    output:
        directory("<resources>/prepared/{data_set}"),
    log:
        "<logs>/prepare/{data_set}.log",
    # Before reports, which fill the cores while the last of the long jobs runs.
    priority: 1
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        seed=config["seed"],
        code=source_digest(*PREPARATION),
    message:
        "Prepare {wildcards.data_set}"
    script:
        "../scripts/prepare.py"


checkpoint data_sets:
    input:
        plan.prepared(plan.data_sets()),
    output:
        report(
            f"<results>/{layout.DATA_SETS}",
            caption="../report/data_sets.rst",
            category="Data sets",
        ),
    log:
        "<logs>/data_sets.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        code=source_digest(*OVERVIEW),
    message:
        "List the data sets used"
    script:
        "../scripts/data_sets.py"
