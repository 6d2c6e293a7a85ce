rule intervals:
    input:
        scores=fit_outputs("scores", "npz"),
        fits=fit_outputs("fits", "parquet"),
        measurements="<results>/{paper}/measurements.parquet",
        data_sets="<results>/data_sets.csv",
    output:
        "<results>/{paper}/intervals.parquet",
    log:
        "<logs>/{paper}/intervals.log",
    benchmark:
        "<benchmarks>/{paper}/intervals.jsonl"
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        configuration=lookup(dpath="{paper}", within=config),
        seed=config["seed"],
        code=interval_code,
    message:
        "Bootstrap the macro-averages of {wildcards.paper}"
    script:
        "../scripts/intervals.py"


# A table takes less time than the start of a job, so a paper has one job for all of its tables, and
# one for its figures. What these are called differs between papers, so each has rules of its own.
for paper in config["papers"]:

    rule:
        name:
            f"tables_{paper}"
        input:
            **report_inputs(paper),
            scores=files_of_fits(paper, "scores", "npz"),
            seconds=seconds_of_timed_tables(paper),
        output:
            csv=table_files(paper, "csv"),
            tex=table_files(paper, "tex"),
            html=[
                report(
                    file,
                    caption="../report/table.rst",
                    category=paper,
                    subcategory="Tables",
                    labels={"table": stem(file)},
                )
                for file in table_files(paper, "html")
            ],
        log:
            f"<logs>/{paper}/tables.log",
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            paper=paper,
            configuration=config[paper],
            code=tables_digest(paper, config[paper]["tables"]),
        message:
            f"Write the tables of {paper}"
        script:
            "../scripts/tables.py"

    rule:
        name:
            f"figures_{paper}"
        input:
            **report_inputs(paper),
            scores=files_of_fits(paper, "scores", "npz"),
        output:
            png=figure_files(paper, "png"),
            svg=[
                report(
                    file,
                    caption="../report/figure.rst",
                    category=paper,
                    subcategory="Figures",
                    labels={"figure": stem(file)},
                )
                for file in figure_files(paper, "svg")
            ],
        log:
            f"<logs>/{paper}/figures.log",
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            paper=paper,
            configuration=config[paper],
            code=figures_digest(paper, config[paper]["figures"]),
        message:
            f"Draw the figures of {paper}"
        script:
            "../scripts/figures.py"

    rule:
        name:
            f"claims_{paper}"
        input:
            **report_inputs(paper),
        output:
            report(
                f"<results>/{paper}/claims.csv",
                caption="../report/claims.rst",
                category=paper,
                subcategory="Claims",
            ),
        log:
            f"<logs>/{paper}/claims.log",
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            paper=paper,
            configuration=config[paper],
            code=claims_code(paper),
        message:
            f"Judge the claims of {paper}"
        script:
            "../scripts/claims.py"


rule all_claims:
    input:
        collect("<results>/{paper}/claims.csv", paper=config["papers"]),
    output:
        "<results>/claims.csv",
    log:
        "<logs>/claims.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        code=module_digest("beyond_accuracy.reporting.claims"),
    message:
        "Collect all verdicts"
    script:
        "../scripts/all_claims.py"


rule site:
    input:
        "<results>/claims.csv",
        "<results>/data_sets.csv",
        tables_and_figures(),
        seconds=seconds_of_all_papers(),
    output:
        page="<results>/index.html",
        timing="<results>/timing.html",
    log:
        "<logs>/site.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        papers=config["papers"],
        configurations=paper_configurations(),
        code=all_reporting_code(),
    message:
        "Build the page of results"
    script:
        "../scripts/site.py"
