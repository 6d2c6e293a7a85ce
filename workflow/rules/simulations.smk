rule simulate:
    output:
        "<results>/{paper}/simulations/{simulation}.parquet",
    log:
        "<logs>/{paper}/simulations/{simulation}.log",
    benchmark:
        "<benchmarks>/{paper}/simulations/{simulation}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=lookup(dpath="{paper}/simulations/{simulation}", within=config),
        seed=config["seed"],
        code=module_digest("beyond_accuracy.experiments.simulations"),
    message:
        "Simulate {wildcards.simulation} ({wildcards.paper})"
    script:
        "../scripts/simulate.py"
