rule convergence:
    input:
        "<resources>/prepared/{data_set}",
    output:
        curves="<results>/{paper}/convergence/{data_set}.parquet",
        line_search="<results>/{paper}/convergence/line_search/{data_set}.parquet",
        seconds="<results>/{paper}/convergence/seconds/{data_set}.parquet",
    log:
        "<logs>/{paper}/convergence/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/convergence/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=lookup(dpath="{paper}/convergence", within=config),
        code=module_digest("beyond_accuracy.experiments.convergence"),
    message:
        "Follow the minimizations on {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/convergence.py"
