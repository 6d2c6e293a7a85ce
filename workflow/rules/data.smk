rule prepare:
    input:
        entries=preparation_inputs,
    output:
        directory("<resources>/prepared/{data_set}"),
    log:
        "<logs>/prepare/{data_set}.log",
    benchmark:
        "<benchmarks>/prepare/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        seed=config["seed"],
        code=module_digest("beyond_accuracy.datasets.prepare"),
    message:
        "Prepare {wildcards.data_set}"
    script:
        "../scripts/prepare.py"


rule data_sets:
    input:
        collect("<resources>/prepared/{data_set}", data_set=selected_data_sets()),
    output:
        report(
            "<results>/data_sets.csv",
            caption="../report/data_sets.rst",
            category="Data sets",
        ),
    log:
        "<logs>/data_sets.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        code=module_digest("beyond_accuracy.datasets.overview"),
    message:
        "List the data sets used"
    script:
        "../scripts/data_sets.py"
