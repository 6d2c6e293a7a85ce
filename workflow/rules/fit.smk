rule fit:
    input:
        "<resources>/prepared/{data_set}",
    output:
        scores="<results>/{paper}/scores/{data_set}/{method}.npz",
        fits="<results>/{paper}/fits/{data_set}/{method}.parquet",
        seconds="<results>/{paper}/seconds/{data_set}/{method}.parquet",
    log:
        "<logs>/{paper}/fit/{data_set}/{method}.log",
    benchmark:
        "<benchmarks>/{paper}/fit/{data_set}/{method}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        method=fit_method,
        paper=fit_settings,
        seed=config["seed"],
        code=fit_code,
    message:
        "Fit {wildcards.method} to {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/fit.py"


rule measure:
    input:
        scores=fit_outputs("scores", "npz"),
        fits=fit_outputs("fits", "parquet"),
    output:
        "<results>/{paper}/measurements.parquet",
    log:
        "<logs>/{paper}/measure.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        configuration=lookup(dpath="{paper}", within=config),
        code=module_digest("beyond_accuracy.reporting.measurements"),
    message:
        "Measure the fits of {wildcards.paper}"
    script:
        "../scripts/measure.py"
