import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Json } from '../../../engine/values/json'
import type { TemplateDraft, WhatsappTemplate } from '../../contracts/whatsappTemplates'
import type { ServerContext } from '../../platform/context'
import type { Db, Work } from '../../platform/database/database'
import type { ConnectionRow } from './connections'
import type { Graph, GraphFile } from './graph'
import { readTemplate } from './readTemplate'
import type { TemplateUpdate } from './readTemplateUpdates'
import type { WhatsappTemplatesTable } from './tables'

/** A business account has at most 6,000 of them; more than these pages are not fetched. */
const A_PAGE = 100
const MOST_PAGES = 20
const FIELDS = 'name,language,status,category,components,quality_score,rejected_reason'

const word = z.string().max(100)
const templateSchema = z.object({
  name: z.string().min(1).max(512),
  language: z.string().min(1).max(15),
  status: word,
  category: word.catch(''),
  components: z.array(z.unknown()).max(20).catch([]),
  quality_score: z.object({ score: word }).optional().catch(undefined),
  rejected_reason: z.string().max(500).optional().catch(undefined),
})
const pageSchema = z.object({
  data: z.array(z.unknown()).max(1_000),
  paging: z
    .object({ cursors: z.object({ after: z.string().max(1_000) }), next: z.string() })
    .optional()
    .catch(undefined),
})
type Fetched = z.infer<typeof templateSchema>

type TemplateRow = Selectable<WhatsappTemplatesTable>

/** Templates of numbers' accounts, kept as WhatsApp says that they are. */
export function createTemplates({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, graph: Graph) {
  const rowsOf = (own: Db, { id, project_id }: ConnectionRow) =>
    own
      .selectFrom('whatsapp_templates')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('connection_id', '=', id)
      .orderBy('name')
      .orderBy('language')
      .execute()

  async function keep(work: Work, { id, project_id }: ConnectionRow, all: readonly Fetched[]): Promise<void> {
    for (const { name, language, status, category, components, quality_score, rejected_reason } of all) {
      const values = {
        ...{ status, category, quality: knownQuality(quality_score?.score ?? ''), status_at: clock() },
        reason: !rejected_reason || rejected_reason === 'NONE' ? null : rejected_reason,
        components: JSON.stringify(components),
      }
      await work
        .insertInto('whatsapp_templates')
        .values({ ...{ project_id, connection_id: id, name, language }, ...values })
        .onConflict((conflict) => conflict.columns(['connection_id', 'name', 'language']).doUpdateSet(values))
        .execute()
    }
  }

  return {
    ofConnection: async (own: Db, row: ConnectionRow): Promise<WhatsappTemplate[]> =>
      (await rowsOf(own, row)).map(present),

    /** What WhatsApp counts a template as; empty if it is not known. */
    categoryOf: async (own: Db, row: ConnectionRow, { name, language }: Pick<TemplateRow, 'name' | 'language'>) =>
      (
        await own
          .selectFrom('whatsapp_templates')
          .select('category')
          .where('project_id', '=', row.project_id)
          .where('connection_id', '=', row.id)
          .where('name', '=', name)
          .where('language', '=', language)
          .executeTakeFirst()
      )?.category ?? '',

    /** Fetches what the account has; what it has no more is forgotten. @throws GraphError, AnswerLost */
    async fetch(own: Db, row: ConnectionRow, token: string): Promise<void> {
      const all: Fetched[] = []
      let after: string | undefined
      for (let count = 0; count < MOST_PAGES; count++) {
        const query = new URLSearchParams({ fields: FIELDS, limit: String(A_PAGE), ...(after && { after }) })
        const page = pageSchema.safeParse(await graph.get(token, `${row.business_id}/message_templates?${query}`)).data
        all.push(...(page?.data ?? []).flatMap((each) => templateSchema.safeParse(each).data ?? []))
        after = page?.paging?.cursors.after
        if (after === undefined) break
      }
      const known = new Set(all.map(keyOf))
      await own.transaction().execute(async (work) => {
        const gone = (await rowsOf(work, row)).filter((each) => !known.has(keyOf(each))).map(({ id }) => id)
        if (gone.length > 0)
          await work
            .deleteFrom('whatsapp_templates')
            .where('id', 'in', gone)
            .where('project_id', '=', row.project_id)
            .execute()
        await keep(work, row, all)
      })
    },

    /**
     * Gives one to WhatsApp for approval. @param heading the example of a heading that is a file
     * @returns how it is to be kept @throws GraphError, AnswerLost
     */
    async submit(
      row: ConnectionRow,
      token: string,
      draft: TemplateDraft,
      heading: GraphFile | null,
    ): Promise<(work: Work) => Promise<void>> {
      const { name, language, category } = draft
      const components = componentsOf(draft, heading && (await graph.upload(token, row.app_id, heading)))
      const answer = await graph.post(token, `${row.business_id}/message_templates`, {
        ...{ name, language, category, components },
      })
      // WhatsApp may decide on another category
      const said = z.object({ status: word.catch('PENDING'), category: word.catch(category) }).safeParse(answer).data
      const template = { status: 'PENDING', category, ...said, name, language, components }
      return (work) => keep(work, row, [template])
    },

    /** Notes what a webhook says of a template; what is older than what is known is passed over. */
    async note(row: ConnectionRow, { name, language, at, ...said }: TemplateUpdate): Promise<void> {
      const { status, reason, category, quality } = said
      await db
        .forProject(row.project_id)
        .updateTable('whatsapp_templates')
        .set({
          ...(status !== null && { status, reason, status_at: at }),
          ...(category !== null && { category }),
          ...(quality !== null && { quality: knownQuality(quality) }),
        })
        .where('project_id', '=', row.project_id)
        .where('connection_id', '=', row.id)
        .where('name', '=', name)
        .where('language', '=', language)
        .$if(status !== null, (query) => query.where('status_at', '<=', at))
        .execute()
    },
  }
}
export type Templates = ReturnType<typeof createTemplates>

const keyOf = ({ name, language }: Pick<TemplateRow, 'name' | 'language'>) => `${language} ${name}`
const knownQuality = (score: string) => (score === 'UNKNOWN' ? '' : score)

function present({ name, language, category, status, quality, reason, components }: TemplateRow): WhatsappTemplate {
  const { isKnown, ...parts } = readTemplate(components)
  return { name, language, category, status, quality, reason, ...parts, sendable: status === 'APPROVED' && isKnown }
}

/** As WhatsApp takes them: what has places needs an example of each. @param handle of a heading's file */
function componentsOf(
  { header, media, body, examples, footer, buttons }: TemplateDraft,
  handle: string | null,
): Json[] {
  const places = new Set(body.match(/\{\{\d+\}\}/g)).size
  return [
    ...(media && handle !== null
      ? [{ type: 'HEADER', format: media.kind.toUpperCase(), example: { header_handle: [handle] } }]
      : []),
    ...(header === '' || media ? [] : [{ type: 'HEADER', format: 'TEXT', text: header }]),
    { type: 'BODY', text: body, ...(places > 0 && { example: { body_text: [examples.slice(0, places)] } }) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0
      ? []
      : [{ type: 'BUTTONS', buttons: buttons.map((text) => ({ type: 'QUICK_REPLY', text })) }]),
  ]
}
