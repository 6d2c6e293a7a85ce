# What a job writes depends on its studies, so each has a rule of its own.
for paper, data_set, job, state in plan.study_jobs():

    rule:
        name:
            f"study_{paper}_{data_set}_{job}_{state}"
        input:
            prepared=plan.prepared([data_set]),
            fits=list(dict.fromkeys(plan.study_fits(paper, data_set, job, state).values())),
            earlier_rows=plan.study_earlier(paper, data_set, job, state, "rows"),
            earlier_seconds=plan.study_earlier(paper, data_set, job, state, "seconds"),
        output:
            rows=plan.study_outputs(paper, data_set, job, state, "rows"),
            seconds=plan.study_outputs(paper, data_set, job, state, "seconds"),
        log:
            f"<logs>/{paper}/studies/{job}/{data_set}/state{state}.log",
        priority: 1
        conda:
            "../envs/beyond-accuracy.yaml"
        threads: 1
        params:
            studies=plan.studies(paper, data_set, job, state),
            paper=paper,
            data_set=data_set,
            fit_keys=list(plan.study_fits(paper, data_set, job, state)),
            seed=plan.seed(state),
            code=source_digest(*EXPERIMENTS),
        message:
            f"Study {job} of {paper}: {data_set}, state {state}"
        script:
            "../scripts/study.py"
