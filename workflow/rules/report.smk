rule intervals:
    input:
        prepared=prepared_data_sets,
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
        paper=interval_settings,
        seed=config["seed"],
        code=interval_code,
    message:
        "Bootstrap the macro-averages of {wildcards.paper}"
    script:
        "../scripts/intervals.py"


rule table:
    input:
        scores=fit_outputs("scores", "npz"),
        fits=fit_outputs("fits", "parquet"),
        measurements="<results>/{paper}/measurements.parquet",
        intervals="<results>/{paper}/intervals.parquet",
        simulations=simulation_outputs,
        convergence=convergence_outputs,
        sweeps=sweep_outputs,
        seconds=seconds_of_timed_table,
        data_sets="<results>/data_sets.csv",
    output:
        csv="<results>/{paper}/tables/{table}.csv",
        tex="<results>/{paper}/tables/{table}.tex",
        html=report(
            "<results>/{paper}/tables/{table}.html",
            caption="../report/table.rst",
            category="{paper}",
            subcategory="Tables",
            labels={"table": "{table}"},
        ),
    log:
        "<logs>/{paper}/tables/{table}.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        paper=lookup(dpath="{paper}", within=config),
        code=table_code,
    message:
        "Write {wildcards.table} of {wildcards.paper}"
    script:
        "../scripts/table.py"


rule figure:
    input:
        scores=fit_outputs("scores", "npz"),
        fits=fit_outputs("fits", "parquet"),
        measurements="<results>/{paper}/measurements.parquet",
        intervals="<results>/{paper}/intervals.parquet",
        simulations=simulation_outputs,
        convergence=convergence_outputs,
        sweeps=sweep_outputs,
        data_sets="<results>/data_sets.csv",
    output:
        png="<results>/{paper}/figures/{figure}.png",
        svg=report(
            "<results>/{paper}/figures/{figure}.svg",
            caption="../report/figure.rst",
            category="{paper}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        "<logs>/{paper}/figures/{figure}.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        paper=lookup(dpath="{paper}", within=config),
        code=figure_code,
    message:
        "Draw {wildcards.figure} of {wildcards.paper}"
    script:
        "../scripts/figure.py"


rule claims:
    input:
        fits=fit_outputs("fits", "parquet"),
        measurements="<results>/{paper}/measurements.parquet",
        intervals="<results>/{paper}/intervals.parquet",
        simulations=simulation_outputs,
        convergence=convergence_outputs,
        sweeps=sweep_outputs,
        data_sets="<results>/data_sets.csv",
    output:
        report(
            "<results>/{paper}/claims.csv",
            caption="../report/claims.rst",
            category="{paper}",
            subcategory="Claims",
        ),
    log:
        "<logs>/{paper}/claims.log",
    conda:
        "../envs/beyond-accuracy.yaml"
    threads: 1
    params:
        paper=lookup(dpath="{paper}", within=config),
        code=claims_code,
    message:
        "Judge the claims of {wildcards.paper}"
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
