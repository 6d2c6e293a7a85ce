rule study:
    input:
        prepared=plan.study_prepared,
        fits=plan.study_fits,
    output:
        rows=f"<results>/{layout.STUDY}",
        seconds=f"<results>/{layout.STUDY_SECONDS}",
    log:
        "<logs>/{paper}/studies/{study}/{data_set}.log",
    benchmark:
        "<benchmarks>/{paper}/studies/{study}/{data_set}.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        settings=plan.study_settings,
        seed=config["seed"],
        code=source_digest(*EXPERIMENTS),
    message:
        "Study {wildcards.study} of {wildcards.paper}: {wildcards.data_set}"
    script:
        "../scripts/study.py"
