import { intentsEffect } from '../../../../engine/effects/intents'
import { MIN_CONFIDENCE } from '../../../../engine/intents/createClassifier'
import { joinLikeness, type Likeness, measureLikeness } from '../../../../engine/intents/likeness'
import { nonePhrasesFor } from '../../../../engine/intents/nonePhrases'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import type { Drafts } from '../../flows/drafts/createDrafts'
import { storedVersion } from '../../flows/versions/readFlows'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { Embedder } from '../../models/embedder'
import type { createPrograms } from './programs'

/** the number of versions whose phrases' embeddings are cached */
const KEPT = 50
/** milliseconds that a visitor's message waits for its embedding, and that embedding a version's phrases may take */
const PATIENCE = { text: 3_000, phrases: 60_000 }
/** milliseconds until embedding phrases is tried again after a failure */
const RETRY_AFTER = 60_000

interface Learned {
  likeness: Likeness | null
  until: number
}

/**
 * Handles the effect `intents`: detects the intent of a typed text by its words and its embedding together. A version's
 * phrases are embedded at the first text; until that is done, and whenever the model fails, it has no result and the
 * words alone decide.
 */
export function createMeaning({
  context,
  programs,
  embed,
}: {
  context: Pick<ServerContext, 'db' | 'clock'> & { drafts: Drafts }
  programs: ReturnType<typeof createPrograms>
  embed: Embedder
}) {
  const { clock, drafts } = context
  const versions = new Map<string, Learned>()

  async function learn(projectId: string, versionId: string): Promise<Likeness | null> {
    const version = await storedVersion({ db: context.db.forProject(projectId) }, { id: versionId, projectId })
    const intents = await drafts.work(projectId, 'intents', { version })
    const own = intents.flatMap(({ phrases }) => phrases)
    const vectors = await embed([...own, ...nonePhrasesFor(own)], PATIENCE.phrases)
    return vectors && measureLikeness(intents, vectors)
  }

  /** A version's embeddings, if cached; otherwise starts embedding and returns null. */
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

  return handleEffect(intentsEffect).by({
    async carryOut({ text }, { project, run }: Pick<CallContext, 'project' | 'run'>) {
      const likeness = known(project.id, run.versionId)
      if (!likeness) return { ok: false, error: 'The phrases have not been embedded yet.' }
      const [vector] = (await embed([beginningOf(text)], PATIENCE.text)) ?? []
      if (!vector) return { ok: false, error: 'The embedding model did not answer.' }
      const { classify } = await programs.get(project.id, run.versionId)
      const recognised = joinLikeness(classify?.(text, 0) ?? [], likeness, vector, MIN_CONFIDENCE)
      return { ok: true, recognised: recognised.map((one) => ({ ...one })) }
    },
    simulate: 'reads-only',
  })
}
