# What a job writes depends on its studies, so each has a rule of its own.
for paper, data_set, job in plan.study_jobs():

    rule:
        name:
            f"study_{paper}_{data_set}_{job}"
        input:
            prepared=plan.study_prepared(data_set),
            fits=plan.study_fits(paper, data_set, job),
            earlier_rows=plan.study_earlier(paper, data_set, job, "rows"),
            earlier_seconds=plan.study_earlier(paper, data_set, job, "seconds"),
        output:
            rows=plan.study_outputs(paper, data_set, job, "rows"),
            seconds=plan.study_outputs(paper, data_set, job, "seconds"),
        log:
            f"<logs>/{paper}/studies/{job}/{data_set}.log",
        priority: 1
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            studies=plan.studies(paper, data_set, job),
            paper=paper,
            data_set=data_set,
            seed=plan.job_seed(job),
            code=source_digest(*EXPERIMENTS),
        message:
            f"Study {job} of {paper}: {data_set}"
        script:
            "../scripts/study.py"
