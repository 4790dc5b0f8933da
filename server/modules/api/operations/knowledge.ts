import { z } from 'zod'
import { gid } from '../../../contracts/route'
import {
  addFaq,
  addLinks,
  addText,
  deleteSources,
  listSources,
  readSource,
  testRetrieval,
} from '../../../contracts/sources'
import { ApiError } from '../../../platform/errors'
import { combined, list, type Operation, operation } from '../operation'

const about = { tag: 'Knowledge', names: { chatbot: 'cgid', source: 'gid' } } as const
/** Sources of a page: the next one begins after as many as there were before. */
const PAGE = 50

export const knowledgeOperations: readonly Operation[] = [
  combined({
    id: 'listSources',
    method: 'GET',
    path: '/chatbots/{chatbot}/sources',
    tag: 'Knowledge',
    summary: 'List sources',
    scope: 'read',
    params: z.strictObject({ chatbot: gid }),
    query: z.strictObject({
      search: z.string().max(200).optional().describe('in titles and addresses'),
      cursor: z
        .string()
        .regex(/^\d{1,6}$/, 'Send what next_cursor was')
        .optional()
        .describe('`next_cursor` of the page before; left out: the first'),
    }),
    answer: list(listSources, { id: '', path: '/{chatbot}', summary: '', ...about, items: 'sources' }).answer,
    async run({ params, query: { cursor = '0', search } }, call) {
      const { sources, total } = await call.route(
        listSources,
        { cgid: params.chatbot },
        { query: { offset: cursor, limit: String(PAGE), ...(search !== undefined && { search }) } },
      )
      const seen = Number(cursor) + sources.length
      return { data: sources, next_cursor: seen < total && sources.length > 0 ? String(seen) : null }
    },
  }),
  operation(readSource, {
    ...about,
    id: 'readSource',
    path: '/chatbots/{chatbot}/sources/{source}',
    summary: 'Read a source and its text',
  }),
  operation(addLinks, {
    ...about,
    id: 'addLinks',
    path: '/chatbots/{chatbot}/sources/links',
    summary: 'Add pages by their addresses',
    description: 'They are read and trained in the background: `status` of each says how far it is.',
    example: { urls: ['https://example.com/'] },
    status: 201,
  }),
  operation(addFaq, {
    ...about,
    id: 'addFaq',
    path: '/chatbots/{chatbot}/sources/faq',
    summary: 'Add a question with its answer',
    example: {
      question: 'When are you open?',
      phrasings: ['What are your opening hours?'],
      answer: 'Monday to Friday, nine to five.',
    },
    status: 201,
    pick: 'source',
  }),
  operation(addText, {
    ...about,
    id: 'addText',
    path: '/chatbots/{chatbot}/sources/text',
    summary: 'Add a text',
    example: { title: 'Delivery', markdown: 'We deliver within **two days**.' },
    status: 201,
    pick: 'source',
  }),
  combined({
    id: 'deleteSource',
    method: 'DELETE',
    path: '/chatbots/{chatbot}/sources/{source}',
    tag: 'Knowledge',
    summary: 'Delete a source',
    scope: 'write',
    params: z.strictObject({ chatbot: gid, source: gid }),
    answer: null,
    async run({ params: { chatbot, source } }, call) {
      const { deleted } = await call.route(deleteSources, { cgid: chatbot }, { body: { gids: [source] } })
      if (deleted === 0) throw new ApiError('not_found')
    },
  }),
  operation(testRetrieval, {
    ...about,
    id: 'searchKnowledge',
    path: '/chatbots/{chatbot}/search',
    summary: 'Search for a question, with an answer from what is found',
    description:
      'The answer is put together from the passages themselves and costs nothing; `cites` says which of `passages` its [1], [2] … are.',
    example: { question: 'When are you open?' },
    scope: 'read',
  }),
]
