import { z } from 'zod'
import { entitlementsOf } from '../../access/entitlements'
import type { ServerContext } from '../../platform/context'
import { parseNetworks } from '../../platform/outbound/addresses'
import { OutboundError } from '../../platform/outbound/errors'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { networksOf } from '../../platform/outbound/projectNetworks'
import { returnCredits, takeCredits, usedCredits } from '../billing/monthlyCredits'
import { createConnections } from './connections'
import { countCall } from './measured'
import { oggLength } from './oggLength'
import type { ProviderAccess } from './providers/access'
import { environmentAccess, keyedAccess } from './providers/environment'

/** Ours: what is longer is listened to by people. */
const LONGEST_SPEECH = 600
/** Bytes of a voice message; WhatsApp takes as many. */
const LARGEST = 16_000_000
const TIMEOUT_MS = 25_000
const MOST_ANSWER = 1_000_000
const MOST_TEXT = 20_000
/** Of what does not say its length: voice is recorded with at least as many. */
const BYTES_A_SECOND = 4_000
/** OpenAI's, which tells how long the sound is. */
const STANDARD_MODEL = 'whisper-1'
/** For addresses that the operator has set, or that are the provider's: anywhere but where metadata is. */
const ANYWHERE = parseNetworks('0.0.0.0/0, ::/0')

interface Speech {
  /** idempotency key: the same speech is charged once */
  key: string
  /** with an ending, by which servers know what it is */
  name: string
  bytes: Uint8Array
}

/** What is said in a sound; null: nothing, or nobody can tell. Never throws. */
export type Transcribe = (projectId: string, speech: Speech) => Promise<string | null>

const answerSchema = z.object({ text: z.string(), duration: z.coerce.number().positive().optional().catch(undefined) })

/**
 * Creates what turns speech into text, at `/audio/transcriptions`: by the project's own server that has a model for it,
 * by `AI_TRANSCRIPTION_MODEL`, else by OpenAI where the project or the environment has a key. Its seconds are taken
 * from the plan first, and given back if it fails.
 */
export function createTranscribe(
  context: Pick<ServerContext, 'db' | 'clock' | 'config' | 'log' | 'metrics'>,
): Transcribe {
  const { db, clock, config, log, metrics } = context
  const connections = createConnections(context)

  async function modelOf(projectId: string): Promise<{ access: ProviderAccess; model: string } | null> {
    const { ai } = config
    const all = await connections.ofProject(projectId)
    for (const { access, speechModel } of all) if (access && speechModel !== null) return { access, model: speechModel }
    if (ai?.transcriptionModel) return { access: environmentAccess(ai), model: ai.transcriptionModel }
    const own = all.find(({ provider }) => provider === 'openai')
    const access = own ? own.access : keyedAccess('openai', config.providers.openai)
    return access && { access, model: STANDARD_MODEL }
  }

  async function ask(
    projectId: string,
    { access, model }: { access: ProviderAccess; model: string },
    { name, bytes }: Speech,
  ) {
    // one with a fetch of its own has an address that people of the project gave
    const allowed = access.fetch === null ? ANYWHERE : await networksOf(context, projectId)
    const fetch = createOutboundFetch({ allowed })
    const form = new FormData()
    form.set('model', model)
    form.set('response_format', 'verbose_json')
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    const body = new Response(form)
    const answer = await fetch({
      url: `${access.baseUrl}/audio/transcriptions`,
      method: 'POST',
      headers: [
        ['content-type', body.headers.get('content-type') ?? ''],
        ...(access.apiKey === null ? [] : [['authorization', `Bearer ${access.apiKey}`] as const]),
      ],
      body: new Uint8Array(await body.arrayBuffer()),
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_ANSWER, larger: 'fail' as const, maxRedirects: 0 },
    })
    if (answer.status !== 200) throw new TranscriptionError(`the server answered ${answer.status}`)
    const read = answerSchema.safeParse(readJson(answer.body)).data
    if (!read) throw new TranscriptionError('the answer holds no text')
    return read
  }

  return async (projectId, speech) => {
    const { key, bytes } = speech
    if (bytes.length === 0 || bytes.length > LARGEST) return null
    const known = oggLength(bytes)
    if (known !== null && known > LONGEST_SPEECH) return null
    const found = await modelOf(projectId)
    if (!found) return null
    const own = db.forProject(projectId)
    const at = clock()
    const use = { projectId, credit: 'speech_to_text_seconds', key } as const
    const amount = Math.max(1, Math.ceil(known ?? Math.min(bytes.length / BYTES_A_SECOND, LONGEST_SPEECH)))
    if (!(await takeCredits(own, { ...use, amount, at }))) return null
    const end = countCall(metrics, found.access.provider, 'transcribe')
    try {
      const { text, duration } = await ask(projectId, found, speech)
      end(true)
      const more = Math.min(Math.ceil(duration ?? 0), LONGEST_SPEECH) - amount
      const free = more > 0 ? Math.min(more, await left()) : 0
      // a sender may say that it is shorter than it is; what the plan has not left is not charged
      if (free > 0) await takeCredits(own, { ...use, key: `${key}:more`, amount: free, at })
      return text.trim().slice(0, MOST_TEXT) || null
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof TranscriptionError)) throw error
      end(false)
      await returnCredits(own, use)
      log.info({ reason: error.message, project: projectId }, 'speech was not transcribed')
      return null
    }

    async function left(): Promise<number> {
      const project = await own
        .selectFrom('projects')
        .select(['plan_id', 'addons'])
        .where('id', '=', projectId)
        .executeTakeFirstOrThrow()
      const used = await usedCredits(own, projectId, use.credit, at)
      return Math.max(0, entitlementsOf(project).limits[use.credit] - used)
    }
  }
}

/** Thrown when a server answers, but with no text. */
class TranscriptionError extends Error {}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
