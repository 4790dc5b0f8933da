import { pino } from 'pino'
import { createDatabase, type Db, type RootDb } from '../../platform/database/database'
import { createConsumers } from '../../platform/events/createConsumers'
import { listFailures, retryFailures } from '../../platform/events/failures'
import { CliError } from './cliError'
import { connectionOf } from './connection'
import { readOptions } from './options'
import { usages } from './usage'

/** `parley events …`: lists events that consumers failed to handle, and makes consumers handle events again. */
export async function eventsCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('events', args, { since: { type: 'string' } }, { least: 1, most: 2 })
  const [act, consumer] = files
  const task = taskOf(act, consumer, values.since)
  const db = createDatabase(await connectionOf())
  try {
    return await task(db)
  } finally {
    await db.destroy()
  }
}

/** Parses the arguments before connecting. @throws CliError with the usage */
function taskOf(act: string, consumer: string | undefined, since: string | undefined): (db: RootDb) => Promise<number> {
  if (act === 'failed' && consumer === undefined && since === undefined) return failed
  if (act === 'retry' && since === undefined) return (db) => retry(db, consumer)
  const from = since === undefined || !/^\d{4}-\d{2}-\d{2}/.test(since) ? undefined : new Date(since)
  if (act === 'replay' && consumer !== undefined && from && !Number.isNaN(from.getTime()))
    return (db) => replay(db, consumer, from)
  throw new CliError(usages.events)
}

async function failed(db: Db): Promise<number> {
  const failures = await listFailures(db)
  for (const { consumer, event, type, project, attempts, error, retryAt } of failures) {
    const next = retryAt ? `next attempt ${retryAt.toISOString()}` : 'given up'
    print(`${consumer}  ${type} ${event}  project ${project}  ${attempts} attempts, ${next}`)
    print(`    ${error.replaceAll('\n', '\n    ')}`)
  }
  return failures.length === 0 ? 0 : 1
}

async function retry(db: Db, consumer?: string): Promise<number> {
  const count = await retryFailures(db, new Date(), consumer)
  print(`${count} ${count === 1 ? 'event is' : 'events are'} tried again.`)
  return 0
}

async function replay(db: RootDb, consumer: string, since: Date): Promise<number> {
  const known = await db.selectFrom('event_consumers').select('name').orderBy('name').execute()
  if (!known.some(({ name }) => name === consumer))
    throw new CliError(`No consumer is called "${consumer}". There are: ${known.map(({ name }) => name).join(', ')}`)
  const consumers = createConsumers({ db, clock: () => new Date(), log: pino({ level: 'silent' }) }, [])
  await consumers.replay(consumer, since)
  print(`${consumer} handles the events since ${since.toISOString()} again, within seconds where Parley runs.`)
  return 0
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
