rule fit:
    input:
        unpack(plan.earlier_fits),
        prepared="<resources>/prepared/{data_set}",
    output:
        scores=f"<results>/{layout.SCORES}",
        fits=f"<results>/{layout.FITS}",
        seconds=f"<results>/{layout.SECONDS}",
    log:
        "<logs>/{paper}/fit/{data_set}/{job}.log",
    priority: 1
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        methods=plan.fit_methods,
        paper=plan.fit_settings,
        seed=plan.fit_seed,
        code=source_digest(*EXPERIMENTS),
    message:
        "Fit {wildcards.job} to {wildcards.data_set} ({wildcards.paper})"
    script:
        "../scripts/fit.py"
