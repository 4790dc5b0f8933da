import { plans } from '../../access/plans'
import { announcementBody, changeAllowanceBody } from '../../contracts/admin'
import { setAnnouncement } from '../../modules/admin/announcement'
import { changeAllowance } from '../../modules/admin/changeAllowance'
import { deadJobs, dismissJob, retryEverything, retryJob } from '../../modules/admin/deadJobs'
import { allPeople, allProjects } from '../../modules/admin/lists'
import type { Doer } from '../../modules/admin/noteAction'
import { openAddresses } from '../../modules/admin/openAddresses'
import { turnOffSignOnRule } from '../../modules/admin/signOnOff'
import { setPersonSuspended, setProjectSuspended } from '../../modules/admin/suspend'
import { turnOffTwoFactorFor } from '../../modules/admin/twoFactorOff'
import { readState } from '../../modules/operations/metrics/readState'
import { createDatabase, type RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { CliError } from './cliError'
import { connectionOf } from './connection'
import { readOptions } from './options'
import { usages } from './usage'

interface Given {
  db: RootDb
  doer: Doer
  words: string[]
  values: Values
}
interface Values {
  why?: string | undefined
  plan?: string | undefined
  'bonus-ai-credits'?: string | undefined
  warning?: boolean | undefined
}
type Command = (given: Given) => Promise<number>

/** `parley admin …`: what the screen /admin shows and does, without a browser. */
export async function adminCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions(
    'admin',
    args,
    {
      why: { type: 'string' },
      plan: { type: 'string' },
      'bonus-ai-credits': { type: 'string' },
      warning: { type: 'boolean' },
    },
    { least: 1, most: 3 },
  )
  const [name = '', ...words] = files as string[]
  const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (!command) throw new CliError(`Say what to do.\n\n${usages.admin}`)
  const db = createDatabase(await connectionOf())
  try {
    return await command({ db, doer: { operator: null, at: new Date() }, words, values })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new CliError('There is nothing of that name.')
    if (error instanceof ApiError) throw new CliError(error.message)
    throw error
  } finally {
    await db.destroy()
  }
}

const commands = {
  async status({ db }) {
    const { jobs, eventFailures, ...state } = await readState({ db, clock: () => new Date() })
    print(`${state.projects} projects, ${state.people} accounts, database of ${mb(state.databaseBytes)}`)
    print(`${state.creditsUsed} AI message credits used this month`)
    print(`jobs: ${jobs.due} due, ${jobs.running} running, ${jobs.waiting} waiting, ${jobs['given up']} given up`)
    print(`oldest due job: ${Math.round(state.oldestDueSeconds)} s`)
    print(`events not handled: ${eventFailures.retried} to be retried, ${eventFailures['given up']} given up`)
    return jobs['given up'] + eventFailures['given up'] > 0 ? 1 : 0
  },

  async jobs({ db, doer, words: [action, id] }) {
    if (action !== undefined) {
      const carryOut = { retry: retryJob, dismiss: dismissJob }[action]
      if (!carryOut || !/^\d{1,18}$/.test(id ?? ''))
        throw new CliError(`Say "retry" or "dismiss", and which job.\n\n${usages.admin}`)
      await carryOut(db, id ?? '', doer)
      print('Done.')
      return 0
    }
    const jobs = await deadJobs(db)
    for (const job of jobs)
      print(`${job.id}  ${job.failed_at}  ${job.kind}  ${job.project?.gid ?? '-'}  ${oneLine(job.error)}`)
    return jobs.length > 0 ? 1 : 0
  },

  async 'retry-all'({ db, doer }) {
    const { jobs, events } = await retryEverything(db, doer)
    print(`${jobs} jobs and ${events} events are tried again.`)
    return 0
  },

  async projects({ db, doer, words: [search = ''] }) {
    const { rows, more } = await allProjects(db, search, doer.at)
    for (const row of rows) {
      const suspended = row.suspended_at ? `  suspended: ${row.suspended_why}` : ''
      const size = `${row.members} members, ${row.chatbots} chatbots, ${row.credits_used} credits`
      print(`${row.gid}  ${row.name}  ${row.plan_id}  ${row.owners.join(' ')}  ${size}${suspended}`)
    }
    return tellMore(more)
  },

  async people({ db, words: [search = ''] }) {
    const { rows, more } = await allPeople(db, { operators: [] }, search)
    for (const row of rows) {
      const suspended = row.suspended_at ? `  suspended: ${row.suspended_why}` : ''
      print(`${row.email}  ${row.name}  last seen ${row.seen_at ?? 'never'}  ${row.projects.join(', ')}${suspended}`)
    }
    return tellMore(more)
  },

  async allow({ db, doer, words: [gid = ''], values }) {
    const bonus = values['bonus-ai-credits']
    const parsed = changeAllowanceBody.safeParse({
      ...(values.plan !== undefined && { plan_id: values.plan }),
      ...(bonus !== undefined && { bonus_ai_credits: /^\d{1,10}$/.test(bonus) ? Number(bonus) : Number.NaN }),
    })
    if (!parsed.success || Object.keys(parsed.data).length === 0)
      throw new CliError(`Give a plan (${plans.map(({ id }) => id).join(', ')}) or credits.\n\n${usages.admin}`)
    await changeAllowance(db, gid, parsed.data, doer)
    print('Done.')
    return 0
  },

  suspend({ db, doer, words: [target = ''], values: { why } }) {
    return setSuspended(db, target, reasonOf(why), doer)
  },

  resume: ({ db, doer, words: [target = ''] }) => setSuspended(db, target, null, doer),

  async 'two-factor-off'({ db, doer, words: [address = ''], values: { why } }) {
    const person = await findPerson(db, address)
    await turnOffTwoFactorFor(db, person, reasonOf(why), doer)
    print('Done: the password alone lets them in.')
    return 0
  },

  async 'open-addresses'({ db, doer, words: [gid = ''], values: { why } }) {
    await openAddresses(db, gid, reasonOf(why), doer)
    print('Done: members can open the project from everywhere.')
    return 0
  },

  async 'sign-on-off'({ db, doer, words: [gid = ''], values: { why } }) {
    await turnOffSignOnRule(db, gid, reasonOf(why), doer)
    print('Done: members can open the project by a password again.')
    return 0
  },

  async announce({ db, doer, words: [text = ''], values: { warning = false } }) {
    const parsed = announcementBody.safeParse({ text, warns: warning })
    if (!parsed.success) throw new CliError('Give at most 500 characters.')
    await setAnnouncement(db, parsed.data.text, warning, doer)
    print(parsed.data.text === '' ? 'Nothing is announced any more.' : 'Everybody who is logged in sees it.')
    return 0
  },

  async actions({ db }) {
    const rows = await db.selectFrom('operator_actions').selectAll().orderBy('id', 'desc').limit(LISTED).execute()
    for (const { at, operator, action, target, details } of rows)
      print(`${at.toISOString()}  ${operator ?? 'command line'}  ${action}  ${target}  ${oneLine(details)}`.trimEnd())
    return 0
  },
} satisfies Record<string, Command>

function reasonOf(why: string | undefined): string {
  const reason = why?.trim() ?? ''
  if (reason === '' || reason.length > 300) throw new CliError('Give --why with a reason of at most 300 characters.')
  return reason
}

/** @returns the id of the account with an address; empty if there is none */
async function findPerson(db: RootDb, address: string): Promise<string> {
  const person = await db
    .selectFrom('users')
    .select('gid')
    .where('email', '=', address.toLowerCase())
    .executeTakeFirst()
  return person?.gid ?? ''
}

/** A project by its id, an account by its address. */
async function setSuspended(db: RootDb, target: string, why: string | null, doer: Doer): Promise<number> {
  if (target.includes('@')) {
    await setPersonSuspended(db, await findPerson(db, target), why, doer)
  } else await setProjectSuspended(db, target, why, doer)
  print(why === null ? 'Resumed.' : 'Suspended.')
  return 0
}

function tellMore(more: boolean): number {
  if (more) print('There are more: give a part of a name.')
  return 0
}

const LISTED = 500
const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
const oneLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 200) ?? ''
const print = (line: string) => void process.stdout.write(`${line}\n`)
