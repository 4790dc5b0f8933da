import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { registry } from '../../../blocks/registry'
import { EngineError } from '../../../engine/errors'
import { flowFile, serialiseFlow } from '../../../engine/flow/canonical'
import { createCountingIds } from '../../../engine/flow/ids'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { createClassifier } from '../../../engine/intents/createClassifier'
import { intentsOf } from '../../../engine/intents/intentsOf'
import { trainIntents } from '../../../engine/intents/trainIntents'
import { type Imported, importFlow } from '../../../engine/interop/importFlow'
import { createProgram, type Program } from '../../../engine/run/program'
import { loadFindMeaning } from '../../modules/knowledge/meaning/findMeaning'
import { CliError } from './cliError'

/** The text of a file; "-" is the standard input. Throws CliError. */
export async function readText(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError(`${file} can't be read: ${reasonOf(error)}`)
  }
}

/** Writes a file, or to the standard output without one. Throws CliError. */
export async function writeText(file: string | undefined, content: string): Promise<void> {
  if (file === undefined || file === '-') {
    process.stdout.write(content)
    return
  }
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  } catch (error) {
    throw new CliError(`${file} can't be written: ${reasonOf(error)}`)
  }
}

/**
 * Reads a flow of any product. Imports create the same ids each time, so that tests of them still match.
 * @throws CliError naming the file
 */
export async function readFlow(file: string): Promise<Imported> {
  const source = await readText(file)
  return naming(file, () => importFlow(source, registry, createCountingIds('p')))
}

/** Adds the file's name to the engine's errors. */
export function naming<Result>(file: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof EngineError) throw new CliError(`${file}: ${error.message}`)
    throw error
  }
}

/** Compiles a chatbot for running, with trained intents. */
export async function programOf({ main, others }: ChatbotFlows): Promise<Program> {
  const intents = intentsOf([main, ...others.map(({ flow }) => flow)], registry)
  const find = await loadFindMeaning()
  const classify = intents.some(({ phrases }) => phrases.length > 0)
    ? createClassifier(trainIntents(intents, find), find)
    : null
  return createProgram(main, registry, {
    flows: Object.fromEntries(others.map(({ id, flow }) => [id, flow])),
    classify,
  })
}

export const chatbotOf = ({ flow, others }: Imported): ChatbotFlows => ({ main: flow, others })

export const flowText = (flows: ChatbotFlows): string => serialiseFlow(flowFile(flows))

export const randomName = (): string => randomBytes(8).toString('hex')

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return 'there is no such file. Check the path.'
  if (code === 'EISDIR') return 'it is a folder. Give a file.'
  if (code === 'EACCES') return 'this user may not. Check its permissions.'
  return error instanceof Error ? error.message : String(error)
}
