/** The output of `parley help`, by the first word of each command, so that `parley help run` shows its part. */
export const usages = {
  start: `parley start [--sandbox] [--adopt-data]   runs the server; settings come from the environment`,
  run: `parley run <flow.json> [options]      talks to a flow in the terminal
    --event url=<page>      the page that is open; away=<days> since the last visit
    --language <code>       the visitor's language
    --var <name>=<text>     what a variable starts with; <name>:=<json> for numbers, lists, objects
    --secrets <file>        values of secrets, NAME=value a line; else SECRET_NAME of the environment
    --fast                  waits take no time
    --simulate              send no HTTP requests that may change something; print them
    --seed <number>         the same chance each time
    --trace                 prints each block that runs, to the standard error
    --keep <test.json>      keeps the conversation as a test; --name <text> names it
  Answer with a line; a number picks an option. /skip skips, /timeout lets the time of a question run out, /vars shows
  the variables, /quit leaves, //text sends a text that begins with a slash.`,
  check: `parley check <flow.json> [--json]     lists what is wrong with a flow; exit code 1 when there are errors`,
  test: `parley test <flow.json> <tests…>      replays kept conversations (files or folders)
    --json                  prints the result as JSON
    --uncovered             lists what no test reaches
    --update                keeps what the flow does now as what is expected
  Exit code 1 when a conversation goes another way than it was kept.`,
  import: `parley import <file> [-o <flow.json>] reads a flow of any product; the report goes to the standard error`,
  export: `parley export <flow.json> [-o <file>] writes a flow in the present format, in its one canonical form`,
  layout: `parley layout <flow.json> [-o <file>] arranges the groups of all flows from left to right`,
  events: `parley events failed                 lists events that could not be handled; exit code 1 when there are some
parley events retry [<consumer>]       has those that were given up tried again
parley events replay <consumer> --since <date>
                            has a consumer handle all events since then again, such as 2026-11-01 or 2026-11-01T08:00Z
  In the database of DATABASE_URL, else in that of DATA_DIR while Parley runs.`,
  plan: `parley plan                            lists the projects, with their plans and add-ons
parley plan <project> [<plan>] [--addon <name>=<quantity>]… [--give ai-credits=<n>] [--give training=<characters>]
                            shows a project's, or changes it: free, starter, growth, business, self-hosted
  A project is named by its id in addresses. Add-ons: ai-credits, chatbot, seat, custom-domain, branding-removal,
  training, email, speech, resync. What is given counts once, after the month's own is used up. Holds from the next use on; nothing is deleted. In the same database as events.`,
  admin: `parley admin status                 what waits, runs and failed, and how large the database is
parley admin jobs [retry|dismiss <id>] lists jobs that were given up, has one tried again, or deletes it
parley admin retry-all                 has all jobs and events that were given up tried again
parley admin projects [<text>]         lists projects, or those with that in their name, id or owner's address
parley admin people [<text>]           lists accounts, or those with that in their name or address
parley admin allow <project> [--plan <plan>] [--bonus-ai-credits <n>]
                            sets a project's plan or bonus credits by hand ("parley plan" has add-ons too)
parley admin suspend <project|address> --why <text>
                            refuses a project's members and visitors, or an account; nothing is deleted
parley admin resume <project|address>  ends that
parley admin two-factor-off <address> --why <text>
                            lets somebody in by the password alone who has lost the app and the recovery codes
parley admin open-addresses <project> --why <text>
                            opens a project from everywhere whose owners locked themselves out
parley admin sign-on-off <project> --why <text>
                            lets members in by a password whose identity provider has failed
parley admin announce <text> [--warning]
                            shows a text to everybody who is logged in; without a text it is taken away
parley admin actions                   lists what operators did, on the screen /admin and by this command
  In the same database as events. Exit code 1 when "status" or "jobs" finds something that was given up.`,
  billing: `parley billing sync-prices             makes the products and prices of all plans and add-ons at Stripe
  Doing it again changes nothing; a price whose amount has changed is replaced, and who pays the old one goes on to do
  so. With BILLING=on and STRIPE_SECRET_KEY, as the server has them.`,
  backup: `parley backup [--to <place>] [--keep <n>]
                            copies database, files and key of the running Parley; deletes the oldest beyond n
parley backup list [--to <place>]
                            lists the backups
parley backup verify <backup> [--to <place>] [--scratch <folder>]
                            restores the database into a scratch folder, reads it, and looks for each file
  A place is a folder or s3://<bucket>/<prefix>, with the keys of BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY:
  BACKUP_TO, else the folder "backups". BACKUP_PASSPHRASE seals the key; without it the key is left out.`,
  restore: `parley restore <backup> [--from <place>] [--to <folder>] [--at <moment>] [--scratch <folder>] [--without-key]
                            makes a new data folder of a backup: DATA_DIR, or the one given; it must hold no data
                            with a log that BACKUP_LOG_MINUTES archived: goes forward to the moment, such as
                            2026-12-01T10:00:00Z, or to the end of the log
  A backup is named by its path, or by its name in the place, which is BACKUP_TO unless given.`,
  data: `parley data export <folder>           writes a whole installation so that any other PostgreSQL server can take it
parley data import <folder> [--without-key]
                            fills the empty database of DATABASE_URL, or of DATA_DIR, and its files, with an export
  An export can be made while Parley runs; for an import it must not. BACKUP_PASSPHRASE seals the key, and opens it.`,
  files: `parley files move [--back]             copies uploaded files from DATA_DIR to the bucket of S3_BUCKET, or back
  Files that are there already are passed over, so that it can be done again. Nothing is deleted.`,
} as const

/** `start` is another program: see server/cli/parley.mjs. */
export type CommandName = Exclude<keyof typeof usages, 'start'>

export const wholeUsage = `Usage: parley <command> …

${Object.values(usages).join('\n\n')}

Without -o, flows go to the standard output. "-" as a file is the standard input. OUTBOUND_ALLOW lets "run" call private
networks. Exit codes: 0 all is well, 1 something was found, 2 the command could not be carried out.`
