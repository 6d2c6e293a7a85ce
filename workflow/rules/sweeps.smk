ruleorder: matching_penalty > sweep


rule sweep:
    input:
        prepared="<resources>/prepared/{data_set}",
        chosen=fits_with_chosen_width,
    output:
        rows="<results>/{paper}/sweeps/{sweep}/{data_set}.parquet",
        seconds="<results>/{paper}/sweeps/seconds/{sweep}/{data_set}.parquet",
    log:
        "<logs>/{paper}/sweeps/{sweep}/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/sweeps/{sweep}/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=sweep_settings,
        methods=sweep_methods,
        measures=lookup(dpath="{paper}/measures", within=config),
        budget=lookup(dpath="{paper}/budget", within=config),
        code=sweep_code,
    message:
        "Sweep {wildcards.sweep} on {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/sweep.py"


rule matching_penalty:
    input:
        "<resources>/prepared/{data_set}",
    output:
        "<results>/{paper}/sweeps/matching_B/{data_set}.parquet",
    log:
        "<logs>/{paper}/sweeps/matching_B/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/sweeps/matching_B/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=lookup(dpath="{paper}/sweeps/matching_B", within=config),
        methods=matching_penalty_auxiliaries,
        measures=lookup(dpath="{paper}/measures", within=config),
        code=matching_penalty_code,
    message:
        "Search the matching B on {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/matching_penalty.py"


rule select_auxiliaries:
    input:
        "<resources>/prepared/{data_set}",
    output:
        "<results>/{paper}/auxiliary_selection/{data_set}.parquet",
    log:
        "<logs>/{paper}/auxiliary_selection/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/auxiliary_selection/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=lookup(dpath="{paper}/auxiliary_selection", within=config),
        measures=lookup(dpath="{paper}/measures", within=config),
        folds=lookup(dpath="{paper}/selection/folds", within=config),
        seed=config["seed"],
        code=module_digest("beyond_accuracy.experiments.auxiliary_selection"),
    message:
        "Select auxiliaries on {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/select_auxiliaries.py"
