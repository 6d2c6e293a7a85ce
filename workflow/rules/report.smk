rule measure:
    input:
        scores=plan.scores,
        fits=plan.fits,
        data_sets=f"<results>/{layout.DATA_SETS}",
    output:
        measurements=f"<results>/{layout.MEASUREMENTS}",
        intervals=f"<results>/{layout.INTERVALS}",
    log:
        "<logs>/{paper}/measure.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        configuration=plan.measure_settings,
        seed=config["seed"],
        code=source_digest(*REPORTS, PAPERS),
    message:
        "Measure the fits of {wildcards.paper}, and bootstrap their averages"
    script:
        "../scripts/measure.py"


# Each takes less time than the start of a job, so a paper has one job for all of its tables,
# figures and verdicts. What these are called differs between papers, so each has a rule of its own.
for paper in config["papers"]:

    rule:
        name:
            f"report_{paper}"
        input:
            unpack(report_inputs(paper)),
        output:
            csv=plan.tables(paper, "csv"),
            json=plan.tables(paper, "json"),
            shown=plan.tables(paper, "shown.json"),
            tex=plan.tables(paper, "tex"),
            html=[
                report(
                    file,
                    caption="../report/table.rst",
                    category=paper,
                    subcategory="Tables",
                    labels={"table": Path(file).stem},
                )
                for file in plan.tables(paper, "html")
            ],
            png=plan.figures(paper, "png"),
            values=plan.figures(paper, "csv"),
            svg=[
                report(
                    file,
                    caption="../report/figure.rst",
                    category=paper,
                    subcategory="Figures",
                    labels={"figure": Path(file).stem},
                )
                for file in plan.figures(paper, "svg")
            ],
            configuration=f"<results>/{layout.CONFIGURATION.format(paper=paper)}",
            claims=report(
                f"<results>/{layout.PAPER_CLAIMS.format(paper=paper)}",
                caption="../report/claims.rst",
                category=paper,
                subcategory="Claims",
            ),
        log:
            f"<logs>/{paper}/report.log",
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            paper=paper,
            configuration=config[paper],
            code=source_digest(*REPORTS, f"{PAPERS}/{paper}"),
        message:
            f"Write the tables, figures and verdicts of {paper}"
        script:
            "../scripts/report.py"


rule site:
    input:
        plan.reports(),
        plan.site_inputs,
        claims=[
            f"<results>/{layout.PAPER_CLAIMS.format(paper=paper)}" for paper in config["papers"]
        ],
    output:
        claims=f"<results>/{layout.CLAIMS}",
        agreement=f"<results>/{layout.AGREEMENT}",
        page=f"<results>/{layout.SITE}",
        pages=directory(f"<results>/{layout.PAGES}"),
    log:
        "<logs>/site.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        configurations=plan.configurations(),
        code=source_digest(*REPORTS, PAPERS),
    message:
        "Build the pages of results"
    script:
        "../scripts/site.py"
