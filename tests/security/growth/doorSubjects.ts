import { z } from 'zod'
import { parseMoment } from '../../../engine/expression/calendar'
import { parseExpression } from '../../../engine/expression/parseExpression'
import { caps } from '../../../engine/values/caps'
import { foldText } from '../../../engine/values/compare'
import { extractTypes } from '../../../engine/values/extractFields'
import { findPart, splitAt } from '../../../engine/values/findPart'
import { fieldLabel, firstProblem } from '../../../engine/values/issues'
import { markedText } from '../../../engine/values/markedText'
import { plainRichText } from '../../../engine/values/richText'
import { freeSecretName } from '../../../engine/values/secrets'
import { parseValuePath } from '../../../engine/values/valuePath'
import { templateText } from '../../../server/contracts/channelTemplates'
import { placeProblem } from '../../../server/contracts/whatsappTemplates'
import { capped } from '../../../server/modules/agents/actions/agentTool'
import { argumentSchema, readArguments, toolNames } from '../../../server/modules/agents/actions/arguments'
import { replyTo } from '../../../server/modules/agents/answering/smallTalk'
import { readOffer } from '../../../server/modules/agents/toolServers/offeredTools'
import { toolArguments } from '../../../server/modules/agents/toolServers/toolArguments'
import { readTold } from '../../../server/modules/integrations/calendly/receiveWebhook'
import { unrelatedTo } from '../../../server/modules/knowledge/retrieval/unrelated'
import { readAddresses } from '../../../server/modules/knowledge/sources/readAddresses'
import { optWord } from '../../../server/modules/whatsapp/optWords'
import { readMessage } from '../../../server/modules/whatsapp/readMessage'
import { readTemplate } from '../../../server/modules/whatsapp/readTemplate'
import { readTemplateUpdates } from '../../../server/modules/whatsapp/readTemplateUpdates'
import { readWebhook } from '../../../server/modules/whatsapp/readWebhook'
import { splitText } from '../../../server/modules/whatsapp/splitText'
import { stripGif } from '../../../server/platform/files/pictures/stripGif'
import { parseJson } from '../../../server/platform/http/parseJson'
import { renderMail } from '../../../server/platform/mail/renderMail'
import { readAddresses as readPastedAddresses } from '../../../src/screens/members/addresses'
import { listedTextToNodes, nodesToPlainText, plainTextToNodes, textToDynamic } from '../../../src/text/conversion'
import { joinLeaves, readInlines, writeInlines } from '../../../src/text/markdown/inlines'
import { inlineTokens } from '../../../src/text/markdown/inlineTokens'
import { readMarkdown, writeMarkdown } from '../../../src/text/markdown/markdown'
import { read, valueTypes } from '../../../src/text/typedValue'
import { isLinkable, isWebAddress, sentFileAddress } from '../../../src/widget/view/address'
import { isEmail, isNumber, isPhone, isUrl } from '../../../src/widget/view/checkEntry'
import { LONG, MESSAGE, quiet, type Subject } from './subject'

const parameters = extractTypes.map((type) => ({
  name: type,
  type,
  description: '',
  required: false,
  choices: type === 'choice' ? ['a b'] : [],
}))
const tool = (text: string) => ({
  name: text.slice(0, 128) || 'a',
  title: text,
  description: text,
  inputSchema: { type: 'object', properties: { [text]: { type: 'string', description: text } } },
})
const strict = z.strictObject({ a: z.string().max(1), b: z.email(), c: z.union([z.int(), z.url()]) })
const find = (name: string) => (name === 'a' ? 'v' : undefined)

const whatsappTypes = ['text', 'document', 'image', 'interactive', 'button', 'location', 'contacts', 'order', 'edit']
/** Names, ids and words are all the same text. */
const whatsappWebhook = (text: string) => ({
  entry: [
    {
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: text.slice(0, 2_000) },
            contacts: [{ wa_id: text, profile: { name: text } }],
            messages: [
              { id: 'a', timestamp: text, from: text },
              { id: 'a', timestamp: '1', text: { body: text } },
            ],
            statuses: [{ id: text, status: text, errors: [{ code: 1, title: text }] }],
          },
        },
      ],
    },
  ],
})

/** What comes in at other doors: expressions, models' arguments, servers of tools, mails, the editor's and the chat page's fields. */
export const doorSubjects: Readonly<Record<string, Subject>> = {
  markedText: {
    run: (text) => markedText([{ children: [{ text, bold: true, italic: true, link: text }] }]),
    most: MESSAGE,
  },
  optWord: { run: (text) => optWord(text), most: LONG },
  splitText: { run: (text) => splitText(text, 1_024), most: LONG },
  'readWebhook of WhatsApp': { run: (text) => readWebhook(whatsappWebhook(text)), most: LONG },
  'readTold of Calendly': {
    run: (text) =>
      readTold({
        event: 'invitee.created',
        payload: {
          ...{ uri: text.slice(0, 500), tracking: { utm_content: text }, cancel_url: text, reschedule_url: text },
          scheduled_event: { start_time: text },
        },
      }),
    most: LONG,
  },
  'readTemplate and its text': {
    run: (text) => {
      const body = `{{1}}${text}`
      const template = readTemplate([{ type: 'BODY', text: body.slice(0, 4_096) }])
      const whole = { ...template, body, name: text, language: 'en', category: '', sendable: true }
      return [
        templateText(whole, [text]),
        templateText({ ...whole, header: text, footer: text }, []),
        placeProblem(body),
      ]
    },
    most: LONG,
  },
  'readTemplateUpdates of WhatsApp': {
    run: (text) =>
      readTemplateUpdates({
        entry: [
          {
            ...{ id: '1', time: 1 },
            changes: [
              {
                field: 'message_template_status_update',
                value: {
                  ...{ message_template_name: 'a', message_template_language: 'en', event: 'REJECTED' },
                  rejection_info: { reason: text, recommendation: text },
                },
              },
            ],
          },
        ],
      }),
    most: LONG,
  },
  'readMessage of WhatsApp': {
    run: (text) =>
      whatsappTypes.map((type) =>
        readMessage({
          type,
          [type]: { type: text, body: text, caption: text, mime_type: text, filename: '', id: 'a' },
        }),
      ),
    most: LONG,
  },
  parseExpression: {
    run: (text) =>
      parseExpression({
        type: 'dynamic',
        parts: [
          { type: 'text', text },
          { type: 'variable', variable_id: 'v' },
        ],
      }),
    most: MESSAGE,
  },
  parseMoment: {
    run: (text) => [quiet(() => parseMoment(text)), quiet(() => parseMoment(`2026-01-01T10:00:00.${text}`))],
    most: LONG,
  },
  foldText: { run: foldText, most: LONG },
  'findPart and splitAt': {
    run: (text) => {
      const half = text.slice(text.length / 2)
      return [findPart(text, half), findPart(text, `${half}a`), splitAt(text, half), splitAt(text, text.slice(0, 3))]
    },
    most: LONG,
  },
  parseValuePath: { run: parseValuePath, most: LONG },
  problemsOf: {
    run: (text) => [
      firstProblem(strict.safeParse({ a: text, b: text, c: text, [text]: text }).error?.issues ?? []),
      fieldLabel([text, 1]),
    ],
    most: LONG,
  },

  readOffer: { run: (text) => quiet(() => readOffer({ tools: [tool(text)], nextCursor: text }, 50)), most: LONG },
  toolArguments: {
    run: (text) => [
      toolArguments({ properties: { a: { type: 'integer', enum: [text] } }, required: [text] }, { a: text }),
      toolArguments({ additionalProperties: false }, { [text]: text }),
    ],
    most: LONG,
  },
  readArguments: {
    run: (text) => parameters.map((parameter) => readArguments([parameter], { [parameter.name]: text, [text]: 1 })),
    most: LONG,
  },
  toolNames: {
    run: (text) => [toolNames([text, text], 'a'), argumentSchema(parameters.map((each) => ({ ...each, name: text })))],
    most: LONG,
  },
  'capped answer of a tool': { run: (text) => capped({ text }), most: LONG },
  replyTo: {
    run: (text) => replyTo(text, { name: text, business: { name: text }, language: 'auto' } as never, null),
    most: LONG,
  },
  stripGif: {
    // blocks that are as long as their first characters say, and empty ones
    run: (text) =>
      [text, `!${'\xfe'}${text}`, '!\xfe\0'.repeat(text.length / 3)].map((blocks) =>
        quiet(() => stripGif(Buffer.from(`GIF89a\x01\0\x01\0\0\0\0${blocks};`, 'latin1'))),
      ),
    most: LONG,
  },
  parseJson: {
    run: (text) => [text, JSON.stringify(text), `["${text}"]`].map((each) => parseJson(Buffer.from(each))),
    most: LONG,
  },
  freeSecretName: { run: (text) => freeSecretName(text, (name) => name.length < 3), most: LONG },
  unrelatedTo: { run: (text) => unrelatedTo('zh', [text, text]), most: LONG },

  readAddresses: {
    run: (text) =>
      [text, `https://a.b/${text}`, `https://${text}`].map((each) => quiet(() => readAddresses([each], []))),
    most: caps.url,
  },
  renderMail: {
    run: (text) => renderMail({ template: 'flow', body: plainRichText(text) }),
    most: process.env.FULL ? MESSAGE : 4_000,
  },

  // in the browser of whoever writes it
  'Markdown of the editor': { run: (text) => writeMarkdown(readMarkdown(text)), most: MESSAGE },
  'a line of the editor': {
    run: (text) => [joinLeaves(readInlines(writeInlines([{ text }, { text, bold: true }]))), [...inlineTokens(text)]],
    most: MESSAGE,
  },
  'addresses that somebody pasted to invite': { run: readPastedAddresses, most: LONG },
  'pasted text': {
    run: (text) => [
      nodesToPlainText(plainTextToNodes(text, find), () => 'a'),
      listedTextToNodes(text, find),
      textToDynamic(text, find),
    ],
    most: MESSAGE,
  },
  typedValue: { run: (text) => valueTypes.map((type) => read(text, type)), most: LONG },
  'fields of the chat page': {
    run: (text) => [isEmail, isPhone, isNumber, isUrl, isWebAddress, isLinkable, sentFileAddress].map((is) => is(text)),
    most: LONG,
  },
}
