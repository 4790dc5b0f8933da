import type { Flow } from '../../../engine/flow/schema'
import { recordingName, serialiseRecordings } from '../../../engine/run/recordingFormat'
import { recordConversation } from '../../../engine/run/recordingReplay'
import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import { systemValues, systemVariables } from '../../../engine/values/systemVariables'
import { CliError } from './cliError'
import { chatbotOf, programOf, randomName, readFlow, readText, writeText } from './flowFiles'
import { createTerminalHandlers } from './handlers'
import { readLines } from './lines'
import { readOptions } from './options'
import { secretsFor } from './secrets'
import { talk } from './talk'

const options = {
  event: { type: 'string', multiple: true },
  language: { type: 'string' },
  var: { type: 'string', multiple: true },
  secrets: { type: 'string' },
  fast: { type: 'boolean' },
  simulate: { type: 'boolean' },
  seed: { type: 'string' },
  trace: { type: 'boolean' },
  keep: { type: 'string' },
  name: { type: 'string' },
} as const

/** Talks to a flow in the terminal. */
export async function runCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('run', args, options, { least: 1, most: 1 })
  const [file] = files
  if (file === '-') throw new CliError('"run" reads answers from the standard input: give the flow as a file.')
  const flows = chatbotOf(await readFlow(file))
  const program = await programOf(flows)
  const { event, url } = readEvent(values.event ?? [])
  const known = {
    conversation_id: randomName(),
    channel: 'playground',
    user_id: 'terminal',
    current_url: url,
    language: values.language,
  }
  const variables = { ...systemValues(known), ...readVariables(values.var ?? [], flows.main) }
  const name = recordingName.safeParse(values.name ?? file.replace(/^.*[\\/]/, '').slice(0, 100))
  if (!name.success) throw new CliError(`--name: ${firstProblem(name.error.issues)}`)

  const secrets = secretsFor(flows, process.env, values.secrets === undefined ? null : await readText(values.secrets))
  if (secrets.missing.length > 0)
    process.stderr.write(
      `No value for the secrets ${secrets.missing.join(', ')}: set SECRET_${secrets.missing[0]}, or give --secrets file.\n`,
    )

  const lines = readLines(process.stdin)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  // skipped waits advance the clock instead
  let ahead = 0
  const clock = {
    now: () => new Date(Date.now() + ahead),
    skip: (seconds: number) => {
      ahead += seconds * 1_000
    },
  }
  const { turns, problem } = await talk(program, {
    event,
    variables,
    lines,
    print,
    trace: values.trace ? (line) => process.stderr.write(`${line}\n`) : null,
    names: new Map(
      [flows.main, ...flows.others.map(({ flow }) => flow)].flatMap((flow) =>
        flow.variables.map(({ id, name }) => [id, name]),
      ),
    ),
    effects: createTerminalHandlers(clock.now, print, secrets.values),
    writes: values.simulate ? 'simulated' : 'marked',
    echo: !process.stdin.isTTY,
    fast: values.fast ? clock.skip : null,
    now: clock.now,
    random: values.seed === undefined ? Math.random : seeded(values.seed),
  })
  lines.close()
  if (values.keep !== undefined) {
    const recording = recordConversation(program, { name: name.data, event, variables, turns })
    await writeText(values.keep, serialiseRecordings([recording]))
    process.stderr.write(`Kept as a test in ${values.keep}.\n`)
  }
  if (problem) process.stderr.write(`parley: ${problem}\n`)
  return problem ? 1 : 0
}

function readEvent(given: string[]) {
  const event: { type: 'start'; url?: string; awayDays?: number } = { type: 'start' }
  for (const one of given) {
    const [, key, value = ''] = /^(url|away)=(.*)$/s.exec(one) ?? []
    if (key === 'url') event.url = value
    else if (key === 'away' && /^\d{1,4}$/.test(value)) event.awayDays = Number(value)
    else throw new CliError(`--event ${one}: give url=https://example.com/page or away=3 (days).`)
  }
  return { event, url: event.url }
}

/** `name=text` and `name:=json`, by the names of the main flow's variables and of system variables. */
function readVariables(given: string[], { variables }: Flow): Record<string, Json> {
  return Object.fromEntries(
    given.map((one) => {
      const [, name = '', isJson, value = ''] = /^([^=]+?)(:)?=(.*)$/s.exec(one) ?? []
      if (!name) throw new CliError(`--var ${one}: give name=text, or name:=json.`)
      const variable =
        variables.find((variable) => variable.name === name || variable.id === name) ??
        systemVariables.find((variable) => variable.name === name || variable.id === name)
      if (!variable) {
        const names = [...variables, ...systemVariables].map((variable) => variable.name).join(', ')
        throw new CliError(`--var ${one}: there is no variable "${name}". There are: ${names}`)
      }
      try {
        return [variable.id, isJson ? (JSON.parse(value) as Json) : value]
      } catch {
        throw new CliError(`--var ${one}: what stands after := is no JSON.`)
      }
    }),
  )
}

/** A seeded random generator (mulberry32). */
function seeded(seed: string): () => number {
  if (!/^\d{1,9}$/.test(seed)) throw new CliError(`--seed ${seed}: give a number of at most nine digits.`)
  let state = Number(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
