import { MIN_CONFIDENCE } from '../../../../engine/intents/createClassifier'
import { joinLikeness, type Likeness, measureLikeness } from '../../../../engine/intents/likeness'
import { nonePhrasesFor } from '../../../../engine/intents/nonePhrases'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { conversationOfCall } from '../../../platform/effects/callKey'
import type { KeyedCall } from '../../../platform/effects/service'
import type { Drafts } from '../../flows/drafts/createDrafts'
import { storedVersion } from '../../flows/versions/readFlows'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { Embedder } from '../../models/embedder'
import type { createPrograms } from './programs'

/** versions whose phrases are kept */
const KEPT = 50
/** ms that a visitor waits for an embedding, and that the phrases of a version may take */
const PATIENCE = { text: 3_000, phrases: 60_000 }
/** ms until phrases that could not be embedded are tried again */
const RETRY_AFTER = 60_000

interface Learned {
  likeness: Likeness | null
  until: number
}

/**
 * The service `intents`: what a typed text means, by its words and by its embedding together. A version's phrases are embedded at the
 * first text; until they are there, and whenever the model fails, it has no answer and the words alone decide.
 */
export function createMeaning({
  context,
  programs,
  embed,
}: {
  context: Pick<ServerContext, 'db' | 'clock'> & { drafts: Drafts }
  programs: ReturnType<typeof createPrograms>
  embed: Embedder
}): KeyedCall {
  const { clock, drafts } = context
  const versions = new Map<string, Learned>()

  async function learn(projectId: string, versionId: string): Promise<Likeness | null> {
    const version = await storedVersion({ db: context.db.forProject(projectId) }, { id: versionId, projectId })
    const intents = await drafts.work(projectId, 'intents', { version })
    const own = intents.flatMap(({ phrases }) => phrases)
    const vectors = await embed([...own, ...nonePhrasesFor(own)], PATIENCE.phrases)
    return vectors && measureLikeness(intents, vectors)
  }

  /** What is known of a version; learning begins where nothing is. */
  function known(projectId: string, versionId: string): Likeness | null {
    const key = `${projectId}/${versionId}`
    const now = clock().getTime()
    const present = versions.get(key)
    if (present && (present.likeness || now < present.until)) return present.likeness
    const entry: Learned = { likeness: null, until: Number.POSITIVE_INFINITY }
    versions.delete(key)
    versions.set(key, entry)
    const oldest = versions.keys().next().value
    if (versions.size > KEPT && oldest !== undefined) versions.delete(oldest)
    learn(projectId, versionId)
      .catch(() => null)
      .then((likeness) => Object.assign(entry, { likeness, until: clock().getTime() + RETRY_AFTER }))
    return null
  }

  return async (request, { key }): Promise<Json> => {
    const text = textOf(request)
    const conversation = await conversationOfCall(context, key)
    if (!conversation) return { ok: false, error: 'The conversation no longer exists.' }
    const { project_id, flow_version_id } = conversation
    const likeness = known(project_id, flow_version_id)
    if (!likeness) return { ok: false, error: 'The phrases have not been embedded yet.' }
    const [vector] = (await embed([beginningOf(text)], PATIENCE.text)) ?? []
    if (!vector) return { ok: false, error: 'The embedding model did not answer.' }
    const { classify } = await programs.get(project_id, flow_version_id)
    const recognised = joinLikeness(classify?.(text, 0) ?? [], likeness, vector, MIN_CONFIDENCE)
    return { ok: true, recognised: recognised.map((one) => ({ ...one })) }
  }
}

const textOf = (request: Json): string =>
  typeof request === 'object' && request !== null && 'text' in request && typeof request.text === 'string'
    ? request.text
    : ''
