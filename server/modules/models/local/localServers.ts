import { parseJson } from '../../../platform/http/tasks'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { refusalOf } from '../../../platform/outbound/addresses'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { runTask } from '../../../platform/workers/runTask'

export interface LocalServer {
  name: string
  base_url: string
  models: string[]
  embedding_models: string[]
}

/** Programs that serve models on one's own machine, at the ports that they take by themselves. */
const PROGRAMS = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'llama.cpp', port: 8_080 },
  { name: 'vLLM', port: 8_000 },
] as const
const PATIENCE = 1_500
const MOST_MODELS = 50
/** Parts of names of models that embed texts: the lists of these programs don't tell what a model is for. */
const EMBEDS = ['embed', 'bge-', 'minilm', 'gte-', 'e5-']

/** Whether a project's calls may reach this machine. */
export const mayCallHere = (allowed: readonly AllowedNetwork[]): boolean => refusalOf('127.0.0.1', allowed) === null

/** Asks the usual ports for a list of models. Nothing is called that the project may not call. */
export async function findServers(
  allowed: readonly AllowedNetwork[],
  programs: readonly { name: string; port: number }[] = PROGRAMS,
): Promise<LocalServer[]> {
  if (!mayCallHere(allowed)) return []
  const fetch = createOutboundFetch({ allowed })
  const found = await Promise.all(
    programs.map(async ({ name, port }): Promise<LocalServer | null> => {
      const base_url = `http://127.0.0.1:${port}/v1`
      const call = { url: `${base_url}/models`, timeoutMs: PATIENCE, maxBytes: 200_000, maxRedirects: 0 }
      const answer = await fetch(call).catch(() => null)
      if (answer?.status !== 200) return null
      const ids = await idsOf(answer.body)
      if (!ids) return null
      const embeds = (id: string) => EMBEDS.some((part) => id.toLowerCase().includes(part))
      return { name, base_url, models: ids.filter((id) => !embeds(id)), embedding_models: ids.filter(embeds) }
    }),
  )
  return found.filter((each) => each !== null)
}

/** Of `{ data: [{ id }] }`; null if it is no such list. Parsed in a thread: whoever has the port wrote it. */
async function idsOf(bytes: Uint8Array): Promise<string[] | null> {
  const parsed = await runTask(parseJson, bytes).catch(() => ({ refused: 'malformed' }) as const)
  const value = 'value' in parsed ? parsed.value : null
  const list = value !== null && typeof value === 'object' && 'data' in value ? value.data : null
  if (!Array.isArray(list)) return null
  return list
    .slice(0, MOST_MODELS)
    .map((each) => (each !== null && typeof each === 'object' && 'id' in each ? each.id : null))
    .filter((id): id is string => typeof id === 'string' && id.length > 0 && id.length <= 200)
}
