import { type Answer, aiAnswerEffect } from '../../../../engine/effects/aiAnswer'
import type { ParsedRequestOf } from '../../../../engine/effects/defineEffect'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import type { Json } from '../../../../engine/values/json'
import type { AnswerDebug } from '../../../contracts/answers'
import type { Db, RootDb } from '../../../platform/database/database'
import type { CallContext, ShowDraft } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import { NO_QUESTION, questionOf } from '../answer'
import { readConversation } from '../readConversation'
import type { Answering, AnswerPart, SavedAnswer } from './answering'
import { visitorTexts } from './visitorTexts'

/** ms between two updates of a draft: more often makes no visible difference */
const DRAFT_EVERY = 80
/** Longer answers are updated less often, in proportion to their length: each update sends all of it. */
const SHOWN_OFTEN = 4_000
/** Characters of a passage in the record of a call, which is stored with its conversation. */
const KEPT = 1_200

/**
 * Handles `ai.answer`: answers a visitor's question from the chatbot's sources, or by its model alone, with a note for
 * the editor if there was a problem, and a record of its steps (`debug`). Answering changes nothing outside; the
 * chatbot's actions may, depending on `writes`.
 */
export function createAnswerHandler(db: RootDb, answering: Answering) {
  const read = readConversation(db)

  async function answer(request: ParsedRequestOf<typeof aiAnswerEffect>, context: CallContext) {
    const { source, question, language, temperature, instructions, model, stream, suggest, chosen } = request
    const { project, chatbot, conversation, run, idempotencyKey, signal, writes, draft } = context
    const asked = questionOf(question, await read(context))
    if (!asked) return notFound(NO_QUESTION)
    const parts = answering[source === 'knowledge' ? 'answer' : 'talk']({
      place: { projectId: project.id, chatbotId: chatbot.id },
      ...asked,
      overrides: {
        ...(language !== null && { language }),
        ...(temperature !== null && { temperature }),
        ...(instructions.trim() !== '' && { instructions }),
        ...(model !== undefined && { model_id: model }),
      },
      ...(suggest && { suggest }),
      ...(chosen !== undefined && { chosen }),
      key: idempotencyKey,
      visitor: conversation.visitor,
      actions: { talk: conversation.gid, call: { conversation, run }, writes },
      signal,
    })
    const { answer, failed, saved } = await lastOf(parts, stream === false ? undefined : draft)
    const testEffects = answer.debug.steps.flatMap(({ effect }) => effect ?? [])
    const result: Answer & { debug: AnswerDebug; testEffects?: TestEffect[] } = {
      ok: true,
      found: answer.found,
      text: answer.found || failed || answer.suggestions ? answer.text : '',
      ...(answer.suggestions && { suggestions: answer.suggestions }),
      ...(answer.found && answer.debug.zone === 'unsure' && { uncertain: withoutDoubt(answer.text) }),
      sources: answer.citations.map(({ title, url }) => ({ title, ...(url !== null && { url }) })),
      ...(answer.parts.length > 0 && { parts: answer.parts }),
      ...(saved.length > 0 && {
        saved: await byVariable(
          db.forProject(project.id),
          { project_id: project.id, flow_version_id: run.versionId },
          saved,
        ),
      }),
      ...(answer.debug.note !== null && { note: answer.debug.note }),
      debug: recordOf(answer.debug),
      ...(testEffects.length > 0 && { testEffects }),
    }
    return result
  }
  return handleEffect(aiAnswerEffect).by({ carryOut: answer, simulate: answer })
}

/** Values stored by actions under the name of a flow variable, by variable id. */
async function byVariable(
  db: Db,
  { project_id, flow_version_id }: { project_id: string; flow_version_id: string },
  saved: readonly SavedAnswer[],
): Promise<Record<string, Json>> {
  const version = await db
    .selectFrom('flow_versions')
    .select('flow')
    .where('id', '=', flow_version_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  const variables = version?.flow.variables ?? []
  return Object.fromEntries(
    saved.flatMap(({ name, value }) => {
      const variable = variables.find((each) => each.name.toLowerCase() === name.toLowerCase())
      return variable ? [[variable.id, value]] : []
    }),
  )
}

const DOUBTS = new Set(Array.from(visitorTexts.values(), ({ mayHelp }) => mayHelp))
/** An answer without the lines that it may help, and without the numbers of its sources. */
const withoutDoubt = (text: string): string =>
  text
    .split('\n\n')
    .filter((part) => !DOUBTS.has(part))
    .join('\n\n')
    .replace(/ ?\[\d{1,3}\]/g, '')

const notFound = (note: string): Answer => ({ ok: true, found: false, text: '', sources: [], note })

/** Consumes the stream and returns the final answer; drafts are shown at intervals. */
async function lastOf(
  parts: AsyncIterable<AnswerPart>,
  draft: ShowDraft | undefined,
): Promise<Extract<AnswerPart, { type: 'answer' }>> {
  let text = ''
  let shown = null as string | null
  let timer: NodeJS.Timeout | undefined
  const show = () => {
    timer = undefined
    shown = text
    draft?.(text)
  }
  try {
    for await (const part of parts) {
      if (part.type === 'answer') {
        // the draft is not part of the answer: withdraw it
        if (shown !== null && !part.answer.text.startsWith(shown.trimEnd())) draft?.('')
        return part
      }
      text += part.delta
      timer ??= setTimeout(show, shown === null ? 0 : DRAFT_EVERY * Math.max(1, text.length / SHOWN_OFTEN))
    }
  } finally {
    clearTimeout(timer)
  }
  throw new Error('an answer had no end')
}

/** Shortened for the step in the preview: the prompt is long, and passages and action details contain most of it. */
const recordOf = (debug: AnswerDebug): AnswerDebug => ({
  ...debug,
  prompt: null,
  steps: debug.steps.map(({ call: _, effect: _e, ...step }) => step),
  passages: debug.passages.map(({ text, ...passage }) => ({ ...passage, text: text.slice(0, KEPT) })),
})
