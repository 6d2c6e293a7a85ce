from snakemake.utils import min_version

min_version("9.17")


include: "workflow/rules/common.smk"


configfile: readable("config/config.yaml")


for paper in selected_papers():

    configfile: readable(f"papers/{paper}/paper.yaml")


report: "workflow/report/workflow.rst"


config.update(validated_configuration())
plan = Plan(config)


pathvars:
    results=config["results"],
    resources=config["resources"],
    logs=f"{config['results']}/logs",


include: "workflow/rules/data.smk"
include: "workflow/rules/fit.smk"
include: "workflow/rules/study.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        f"<results>/{layout.SITE}",
        plan.intermediate(),
        plan.reports(),
    message:
        "All results of {config[papers]}"


onsuccess:
    end_of_run()


onerror:
    end_of_run()
