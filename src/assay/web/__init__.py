"""The web app: `create_app(settings)` in `app.py`, started by `assay serve` through `server.py`.

How to add a kind of workspace, say `essays`. Everything of it is in files of its own; four tables get a row.

1. `worker/essays.py`: `prepare(job, tools) -> handle`, `handle(piece) -> Outcome`. `prepare` is called once for each
   job and worker (load the model, prepare the ground truth), `handle` once for each item; `piece.task` is the item's
   `detail`, `piece.settings` the settings of the job. It never sees the database: `tools.file(digest, suffix)` and
   `tools.read(digest)` give uploaded bytes, and an `Outcome` (payload as JSON without NaN, a score, files as bytes) is
   kept by the worker in the transaction that closes the piece. `InputError` fails this item with its message, the
   others go on; `tools.observer` goes to every workflow, and stops it when the job is cancelled. Row: `HANDLERS` in
   `worker/worker.py`.
2. `workspaces/summaries.py`: what lists and the header show (`summary(state=..., verdict=..., count=..., trust=...)`),
   worked out when a job ends and after each decision. Row: `SUMMARIES`.
3. Beside the pages, the acts that pages and programs share (see `score_tables.py`): `received` (files came in: check
   them, guess), `start` (check settings, make `NewItem`s, call `scoring.start_scoring`), `decide` (what an override or
   a confirmation does to the score: `Consequence`), exports (`KindExports`). Row: `WORKSPACE_HANDLERS` in
   `workspaces/handler_table.py`.
4. `pages/essays.py`: a router under `/essays`. `GET /essays` is the landing page; a page of a workspace takes `context:
   Editable` (the workspace or a 404) and ends with `workspace_page(request, context, "essays/x.html", tab="x",
   values={...})`. Overrides: `decisions.consequence_of` (shown before it is saved), `record_decision`, `undo_decision`.
   Trust, exports and history exist for every kind. Tabs and words: `KINDS` in `kinds.py`.
5. `templates/essays/*.html` extend `workspace.html` and use `ui`, the macros of `macros.html` (field, textarea, choice,
   checks, drop_zone, progress, snippet, workspace_table, pager, crumbs). Styles and scripts of its own go to
   `static/essays.css` and `static/essays.js`, linked in the blocks `styles` and `scripts`; `static/review.css` holds
   the three panes of a review page.

The engine of a workspace, `workspace.engine`, is the digest of all that bears on a score: rules, model, version.
Results and decisions belong to an item's content and to an engine, so new rules or files start clean, and going back
finds what was there (`start_scoring` enqueues only items without a result). An item's digest stands for its content,
and for its owner where two may hand in the same.

No inline script or style: the content security policy forbids both. Markup made by `assay.report` carries style
attributes; `extract_inline_styles` takes them out into the one style sheet the policy allows, and `<div class="doc">`
around it gives it the look of reports. Every form carries `{{ csrf() }}`; names, labels and texts are printed through
Jinja, which escapes. Work that takes more than a moment is a job, never a request. Whoever changes a workspace, its
decisions or its jobs first holds it (`hold_workspace`), so that two at once take turns on either database.
"""
