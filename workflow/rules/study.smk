rule study:
    input:
        prepared=study_prepared,
        fits=study_selected_fits,
    output:
        rows="<results>/{paper}/studies/{study}/{data_set}.parquet",
        seconds="<results>/{paper}/studies/{study}/seconds/{data_set}.parquet",
    log:
        "<logs>/{paper}/studies/{study}/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/studies/{study}/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=settings_of_study,
        seed=config["seed"],
        code=code_of_study,
    message:
        "Study {wildcards.study} of {wildcards.paper}: {wildcards.data_set}"
    script:
        "../scripts/study.py"
