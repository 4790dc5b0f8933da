import type { BotMessage } from '../../../engine/flow/conversation'
import { messageToString } from '../../../engine/flow/conversationWords'
import { replyInWords } from '../../../engine/flow/replyInWords'
import { cleanVariableName } from '../../../engine/flow/variableName'
import { wordDiff } from '../../../engine/graph/wordDiff'
import { createClassifier } from '../../../engine/intents/createClassifier'
import * as intentFeatures from '../../../engine/intents/features'
import { nonePhrasesFor } from '../../../engine/intents/nonePhrases'
import { trainIntents } from '../../../engine/intents/trainIntents'
import { readsOf, resolveDify } from '../../../engine/interop/dify/references'
import { bracesIn } from '../../../engine/interop/flowise/references'
import { fromMarkdown } from '../../../engine/interop/nodes/fromMarkdown'
import { recognise } from '../../../engine/interop/products'
import { readFile } from '../../../engine/interop/readFile'
import { readYaml } from '../../../engine/interop/readYaml'
import { fromHtml } from '../../../engine/interop/typebot/htmlTexts'
import { translateCode } from '../../../engine/interop/typebot/javascript/translate'
import { splitVariables, toDynamicValue } from '../../../engine/interop/typebot/texts'
import { acceptsFile } from '../../../engine/values/acceptedFile'
import { cleanText } from '../../../engine/values/cleanText'
import { parseColour } from '../../../engine/values/colour'
import { compare, comparisonOperators } from '../../../engine/values/compare'
import { contactFieldProblem, contactFields } from '../../../engine/values/contactFields'
import { csvCell, csvLine } from '../../../engine/values/csv'
import { dateModes, parseDate, secondsSince1970, timeOfDay } from '../../../engine/values/date'
import { agentInputProblem } from '../../../engine/values/entryRules'
import { extractFields, extractTypes, readExtracted } from '../../../engine/values/extractFields'
import * as findValues from '../../../engine/values/findValues'
import { jsonProblem } from '../../../engine/values/jsonProblem'
import { languageCandidates } from '../../../engine/values/languageTags'
import { linkProblem, linkVariables, readLink, writeLink } from '../../../engine/values/linkAddress'
import { createMarkdownReader, markdownText } from '../../../engine/values/markdown'
import { readInline } from '../../../engine/values/markdownInline'
import { mentionParts, mentionsIn, readMentions, writeMentions } from '../../../engine/values/mentions'
import { normalText } from '../../../engine/values/normalText'
import { valueAsNumber } from '../../../engine/values/number'
import { parsePhone } from '../../../engine/values/parsePhone'
import { hasPlaceholder, placeholderValue, replacePlaceholders } from '../../../engine/values/placeholders'
import { endsQuoted, renderHeader, renderJson, renderUrl } from '../../../engine/values/places'
import { isBlank, isUnset, printValue, renderText } from '../../../engine/values/render'
import { plainRichText, richTextToString } from '../../../engine/values/richText'
import { splitTables } from '../../../engine/values/richTextTables'
import * as rules from '../../../engine/values/rules'
import { fileNameIn } from '../../../engine/values/url'
import { isValuePath, readValuePath, splitPath } from '../../../engine/values/valuePath'
import { videoSource } from '../../../engine/values/videoSource'
import { withoutEnd } from '../../../engine/values/withoutEnd'
import { instantOf, writtenDates } from '../../../engine/values/writtenDates'
import { redactable } from '../../../server/contracts/privacy'
import { anyAddresses, createAddresses } from '../../../server/modules/agents/answering/addresses'
import { createAnswerWriter } from '../../../server/modules/agents/answering/answerWriter'
import { closingPlaces } from '../../../server/modules/agents/answering/brackets'
import { questionsIn } from '../../../server/modules/agents/answering/questionsIn'
import { asksNothing, rewriteByRule } from '../../../server/modules/agents/answering/rewriteQuestion'
import { isSame, smallTalkOf } from '../../../server/modules/agents/answering/smallTalk'
import { readContactsCsv } from '../../../server/modules/contacts/tasks'
import { withoutQuotes } from '../../../server/modules/conversations/inboundMail/withoutQuotes'
import { visitorSays } from '../../../server/modules/conversations/runtime/visitorSays'
import { wordingOf } from '../../../server/modules/insights/facts/questions'
import { chunkFaq } from '../../../server/modules/knowledge/chunks/chunkFaq'
import { chunkMarkdown, plainText } from '../../../server/modules/knowledge/chunks/chunkMarkdown'
import { replaceLinks, replacePictures } from '../../../server/modules/knowledge/chunks/links'
import { markdownBlocks } from '../../../server/modules/knowledge/chunks/markdownBlocks'
import { splitText } from '../../../server/modules/knowledge/chunks/splitText'
import { parseSitemap } from '../../../server/modules/knowledge/crawl/parseSitemap'
import { familyOf, isTrap, isWanted } from '../../../server/modules/knowledge/crawl/scope'
import { joinLines } from '../../../server/modules/knowledge/documents/joinLines'
import { filledFields } from '../../../server/modules/knowledge/documents/pdfForm'
import { laidOut } from '../../../server/modules/knowledge/documents/pdfLayout'
import { pdfLines } from '../../../server/modules/knowledge/documents/pdfLines'
import { pdfMarkdown } from '../../../server/modules/knowledge/documents/pdfMarkdown'
import { pieceOf } from '../../../server/modules/knowledge/documents/pdfPieces'
import { isRightToLeft, plainLetters, reorder } from '../../../server/modules/knowledge/documents/rightToLeft'
import { withScans } from '../../../server/modules/knowledge/documents/withScans'
import { daysOf } from '../../../server/modules/knowledge/evidence/days'
import { answersWanted, wantedBy, withoutAsking } from '../../../server/modules/knowledge/extractive/asking'
import { asWritten, plain } from '../../../server/modules/knowledge/extractive/plain'
import { sentencesOf } from '../../../server/modules/knowledge/extractive/sentences'
import { candidatesOf } from '../../../server/modules/knowledge/extractive/signs'
import { articleToMarkdown } from '../../../server/modules/knowledge/feeds/articleToMarkdown'
import { parseFeed } from '../../../server/modules/knowledge/feeds/parseFeed'
import { parseArticle, parseArticles, parseLocales } from '../../../server/modules/knowledge/feeds/readArticle'
import { fileText } from '../../../server/modules/knowledge/git/fileText'
import { readPktLines } from '../../../server/modules/knowledge/git/pktLines'
import { readRefs } from '../../../server/modules/knowledge/git/refs'
import { loadLexicon } from '../../../server/modules/knowledge/lexicon/loadLexicon'
import { blockHashes, withoutBlocks } from '../../../server/modules/knowledge/page/blockHashes'
import { contentKind, kindBySaying, mediaType } from '../../../server/modules/knowledge/page/contentKind'
import { decodeText } from '../../../server/modules/knowledge/page/decodeText'
import { normalizeUrl } from '../../../server/modules/knowledge/page/normalizeUrl'
import { readHtml } from '../../../server/modules/knowledge/page/readHtml'
import { createRobots } from '../../../server/modules/knowledge/page/robots'
import { toMarkdown } from '../../../server/modules/knowledge/page/toMarkdown'
import { innerHtml, parseTree } from '../../../server/modules/knowledge/page/tree'
import { fold, keepsMarks, plainCase } from '../../../server/modules/knowledge/retrieval/fold'
import { closer, languageOf } from '../../../server/modules/knowledge/retrieval/language'
import { madeUpQuestions } from '../../../server/modules/knowledge/retrieval/madeUp'
import { askedOf, beginningOf } from '../../../server/modules/knowledge/retrieval/question'
import { segmentsOf } from '../../../server/modules/knowledge/retrieval/segments'
import { mendSpelling } from '../../../server/modules/knowledge/retrieval/spelling'
import { tokensOf } from '../../../server/modules/knowledge/retrieval/tokens'
import { tokenize } from '../../../server/modules/knowledge/retrieval/words'
import { parseFaqCsv, sameQuestion } from '../../../server/modules/knowledge/sources/parseFaqCsv'
import { cutContent, readContent, readFaqCsv, readSitemapFile } from '../../../server/modules/knowledge/tasks'
import { redactText } from '../../../server/modules/privacy/redact'
import { redactTexts } from '../../../server/modules/privacy/tasks'
import { readSite } from '../../../server/modules/web/tasks'
import { readColours } from '../../../server/modules/web/website/readColours'
import { readHead } from '../../../server/modules/web/website/readHead'
import { checkContent } from '../../../server/platform/mail/content'
import { createMask } from '../../../server/platform/outbound/maskSecrets'
import { carryOut } from '../../../server/platform/workers/defineTask'
import { LONG, MESSAGE, quiet, type Subject } from './subject'

const lexicon = await loadLexicon()
const URL = 8_000
/** Some passages' length (chunks/chunkMarkdown.ts) */
const PASSAGE = 4_000
/** retrieval/question.ts */
const QUESTION = 2_000
/** What is read of a model's answer (answering/answerWriter.ts) */
const ANSWER = 80_000
const names = { byName: () => undefined, note: () => undefined }
const difyNames = { nodes: new Set(['a']), declared: new Set<string>(), context: undefined }

/** YAML of that length: what hostile files are made of, and what is no harm in small. */
function yamlOf(length: number): string[] {
  const repeated = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const counted = (line: (at: number) => string) =>
    Array.from({ length: Math.ceil(length / 12) }, (_, at) => line(at)).join('\n')
  return [
    counted((at) => `- &a${at} x`),
    `a: &a [1, 2]\nb:\n${repeated('- *a\n')}`,
    counted((at) => (at === 0 ? 'a0: &a0 [x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`)),
    counted((at) => `key${at}: a`),
    counted((at) => `${' '.repeat(at % 1_000)}a:`),
    ...['[', '{a: ', '- ', '? ', '&a ', '!!str ', '---\n', '%a\n', ']\n', 'a: b: c\n', '<<: *a\n'].map(repeated),
  ]
}
const dynamic = (text: string) => ({
  type: 'dynamic' as const,
  parts: [
    { type: 'text' as const, text },
    { type: 'variable' as const, variable_id: 'v' },
  ],
})
const passage = (text: string) => ({
  id: '1',
  source: { gid: 'a', kind: 'link' as const, title: 'A', url: 'https://a.b/' },
  heading: '',
  text,
  score: 1,
})
/** Every second word means something. */
const findMeaning = (word: string) => (word.length % 2 === 0 ? null : { codes: [1, 2], length: 2, telling: 1 })
const classify = createClassifier(
  trainIntents([{ blockId: 'hours', phrases: ['when do you open', '几点开门', 'ร้านเปิดกี่โมง'] }], findMeaning),
  findMeaning,
)
const writer = () =>
  createAnswerWriter({ addresses: createAddresses([passage('https://a.b/c')], '', ['secret']), sources: ['a', 'b'] })
const item = (str: string) => ({
  str,
  dir: 'ltr',
  transform: [1, 0, 0, 10, 0, 0],
  width: 100,
  height: 10,
  hasEOL: false,
})

const scope = { sites: new Set(['a.b']), include: ['a*b*c'], exclude: ['*x*'] }
const nothing = { faq: null, language: null, etag: null, pages: null, note: null }

/** As a model writes: shown again each time that there is a fiftieth more of it. */
function readGrowing(text: string): void {
  const read = createMarkdownReader()
  for (let end = 0; end <= text.length; end += Math.ceil(text.length / 50) + 1) read(text.slice(0, end))
}

async function readRobots(text: string): Promise<unknown> {
  const answer = { status: 200, headers: {}, body: Buffer.from(`User-agent: *\nDisallow: ${text}`), cut: false }
  const robots = await createRobots(async () => ({ ...answer, url: 'https://a.b/robots.txt' }))('https://a.b/')
  return [robots.sitemaps, robots.allows('https://a.b/some/page.html?a=b')]
}

/** A rule as hostile as the page's address, and both as long. */
async function matchRobots(text: string): Promise<unknown> {
  const path = text.replace(/[^a-z0-9]/gi, 'a')
  const rules = [`${'*a'.repeat(Math.ceil(text.length / 2))}`, `/${path}`, '*'.repeat(text.length)]
  const body = Buffer.from(`User-agent: *\n${rules.map((rule) => `Disallow: ${rule}b\n`).join('')}`)
  const answer = { status: 200, headers: {}, body, cut: false }
  const robots = await createRobots(async () => ({ ...answer, url: 'https://a.b/robots.txt' }))('https://a.b/')
  return robots.allows(`https://a.b/${path}`)
}

function written(text: string, step: number): string {
  const one = writer()
  for (let at = 0; at < text.length; at += step) one.write(text.slice(at, at + step))
  one.end()
  return one.text()
}

const each = (prefix: string, functions: Record<string, unknown>, most: number): Record<string, Subject> =>
  Object.fromEntries(
    Object.entries(functions).flatMap(([name, run]) =>
      typeof run === 'function' ? [[`${prefix} ${name}`, { run: (text: string) => run(text), most }]] : [],
    ),
  )

const { findChoice, ...finders } = findValues
const { domainMessage: _, domainRule, limitMessage: __, parseBookingLink, ...parsers } = rules

/**
 * Engine, knowledge, answers, and what threads do. A long file, since it is one table: a line for each function that
 * takes foreign text, so that none is missed (unlisted.ts).
 */
const article = {
  ...{ id: 1, html_url: 'https://a.b/c', locale: 'en-us', draft: false, user_segment_id: null },
  updated_at: '2026-01-01T00:00:00Z',
}

/** What refuses a text by an error is measured until then. */
function thrown(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

export const subjects: Readonly<Record<string, Subject>> = {
  markdownText: { run: markdownText, most: ANSWER },
  'createMarkdownReader of a text that grows': { run: readGrowing, most: MESSAGE },
  readInline: { run: (text) => readInline(text, {}), most: ANSWER },
  normalText: {
    run: (text) => (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => normalText(text, form)),
    most: LONG,
  },
  withoutEnd: { run: (text) => withoutEnd(text, ' .,\n1*'), most: LONG },
  closingPlaces: { run: (text) => closingPlaces(text, '[', ']'), most: LONG },
  mentionsIn: { run: mentionsIn, most: LONG },
  mentionParts: { run: mentionParts, most: LONG },
  readMentions: { run: (text) => readMentions(text, () => 'Ada'), most: LONG },
  writeMentions: { run: (text) => writeMentions(text, [{ gid: 'a', name: 'Ada' }]), most: LONG },
  readLink: { run: readLink, most: LONG },
  writeLink: { run: (text) => writeLink({ type: 'static', value: text }), most: LONG },
  linkVariables: { run: linkVariables, most: LONG },
  linkProblem: { run: (text) => linkProblem(readLink(text)), most: LONG },
  placeholderValue: { run: placeholderValue, most: LONG },
  hasPlaceholder: { run: hasPlaceholder, most: LONG },
  replacePlaceholders: { run: (text) => replacePlaceholders(text, () => 'x'), most: LONG },
  ...each('findValues', finders, MESSAGE),
  'findValues findChoice': { run: (text) => findChoice(text, ['Pro', 'Pro plus', '商店']), most: MESSAGE },
  extractFields: {
    run: (text) =>
      extractFields(
        extractTypes.map((type) => ({ id: type, type, choices: ['a b'] })),
        [text],
      ),
    most: MESSAGE,
  },
  readExtracted: {
    run: (text) => extractTypes.map((type) => readExtracted({ id: type, type, choices: ['a'] }, text)),
    most: MESSAGE,
  },
  writtenDates: { run: writtenDates, most: MESSAGE },
  parseDate: { run: (text) => dateModes.map((mode) => parseDate(text, mode)), most: MESSAGE },
  jsonProblem: { run: jsonProblem, most: LONG },
  splitPath: { run: splitPath, most: LONG },
  isValuePath: { run: isValuePath, most: LONG },
  readValuePath: { run: (text) => readValuePath({ a: 1 }, text), most: MESSAGE },
  compare: {
    run: (text) =>
      comparisonOperators.map(
        (operator) =>
          operator.includes('match') || [
            compare(text, operator, 'a'),
            compare('a', operator, text),
            compare(text, operator, `${text}b`),
          ],
      ),
    most: LONG,
  },
  valueAsNumber: { run: valueAsNumber, most: LONG },
  parsePhone: { run: (text) => [parsePhone(text), parsePhone(text, 'DE')], most: LONG },
  ...each('rules', parsers, LONG),
  'rules domainRule': { run: (text) => domainRule('a.b').test(text), most: LONG },
  'rules parseBookingLink': {
    run: (text) => [text, `https://${text}`, `https://a.b/${text}`].map((link) => parseBookingLink(link, 'a.b')),
    most: LONG,
  },
  'rules parseUrl with a host': { run: (text) => rules.parseUrl(`https://${text}`), most: LONG },
  'rules parseEmail with a host': { run: (text) => rules.parseEmail(`a@${text}`), most: LONG },
  'rules tests': {
    run: (text) =>
      [
        rules.urlRule,
        rules.mediaUrlRule,
        rules.emailRule,
        rules.phoneRule,
        rules.contactPhoneRule,
        rules.ticketIdRule,
        rules.idRule,
        rules.userIdRule,
      ].map((rule) => rule.test(text)),
    most: LONG,
  },
  contactFieldProblem: { run: (text) => contactFields.map((field) => contactFieldProblem(field, text)), most: LONG },
  agentInputProblem: { run: (text) => agentInputProblem(text, { type: 'email', max: 1e9 }), most: LONG },
  acceptsFile: { run: (text) => acceptsFile(['.pdf', 'image/*'], { name: text, type: text }), most: LONG },
  videoSource: {
    run: (text) => [text, `https://youtube.com/watch?${text}`, `https://vimeo.com/1?${text}`].map(videoSource),
    most: LONG,
  },
  splitTables: {
    run: (text) => splitTables([1, 2].map(() => ({ children: [{ text: `|${text}|` }, { text }] }))),
    most: LONG,
  },
  cleanText: { run: cleanText, most: LONG },
  csvCell: { run: csvCell, most: LONG },
  csvLine: { run: (text) => csvLine([text, text]), most: LONG },
  redactText: { run: (text) => redactText(text, redactable), most: MESSAGE },
  wordingOf: { run: wordingOf, most: MESSAGE },
  richText: { run: (text) => richTextToString(plainRichText(text), () => ''), most: LONG },
  render: {
    run: (text) => [
      renderText(dynamic(text), { v: text }),
      printValue([text]),
      isUnset(text),
      isBlank(plainRichText(text)),
    ],
    most: LONG,
  },
  places: {
    run: (text) => [
      renderUrl(dynamic(text), { v: text }),
      renderHeader(dynamic(text), { v: text }),
      renderJson(dynamic(text), { v: text }),
      endsQuoted(text, false),
    ],
    most: LONG,
  },
  cleanVariableName: { run: cleanVariableName, most: LONG },
  replyInWords: {
    run: (text) =>
      replyInWords(
        { input: 'choice', multiple: true, typing: true, placeholder: '', options: [{ id: 'a', label: 'A' }] },
        text,
      ),
    most: MESSAGE,
  },
  wordDiff: { run: (text) => wordDiff(text, `a${text}b`), most: MESSAGE },

  'intents featuresOf': { run: intentFeatures.featuresOf, most: LONG },
  'intents tokenize': { run: intentFeatures.tokenize, most: LONG },
  'intents stemOf': { run: intentFeatures.stemOf, most: LONG },
  'intents vectorOf': { run: (text) => intentFeatures.vectorOf(text, () => 0, [1], 1), most: LONG },
  languageCandidates: { run: languageCandidates, most: LONG },
  nonePhrasesFor: { run: (text) => nonePhrasesFor([text]), most: LONG },
  classify: { run: (text) => classify(text, 0), most: LONG },

  instantOf: { run: (text) => [instantOf(text), timeOfDay(text), secondsSince1970(text)], most: LONG },
  readFile: { run: (text) => quiet(() => readFile(text)), most: LONG },
  'readYaml of a value': {
    run: (text) =>
      [`a: ${text}`, `a: "${text}"`, `a: |\n ${text}`, `? ${text}`].map((yaml) => quiet(() => readYaml(yaml))),
    most: LONG,
  },
  'readYaml of many things': {
    run: (text) => yamlOf(text.length).map((yaml) => quiet(() => readYaml(yaml))),
    most: 8_000,
  },
  recognise: {
    run: (text) => [recognise(text), recognise({ typebot: text }), recognise({ [text]: text })],
    most: LONG,
  },
  fromMarkdown: { run: (text) => fromMarkdown(text, names), most: LONG },
  resolveDify: { run: (text) => resolveDify(text, difyNames), most: LONG },
  readsOf: { run: (text) => readsOf({ a: text, b: [text, text] }), most: LONG },
  bracesIn: { run: (text) => bracesIn({ a: text }), most: LONG },
  fromHtml: { run: (text) => fromHtml(text, names), most: LONG },
  translateCode: { run: (text) => translateCode(text, () => true), most: 3_000 },
  splitVariables: { run: (text) => splitVariables(text, names), most: LONG },
  toDynamicValue: { run: (text) => toDynamicValue(text, 3_000, names), most: LONG },

  'createAnswerWriter in one piece': { run: (text) => written(text, text.length), most: ANSWER },
  'createAnswerWriter in pieces': { run: (text) => written(text, 7), least: 10_000, most: ANSWER },
  anyAddresses: {
    run: (text) => [anyAddresses(['secret']).withoutHidden(text), anyAddresses(['secret']).allowed(text)],
    most: LONG,
  },
  createMask: { run: (text) => createMask([`${text}b`]).text(text), most: LONG },
  createAddresses: { run: (text) => createAddresses([passage(text)], text, [text]).allowed('https://a.b'), most: LONG },
  withoutQuotes: { run: (text) => withoutQuotes(text), most: LONG },
  smallTalkOf: { run: (text) => smallTalkOf(text, ['Ada'], 'en'), most: LONG },
  isSame: { run: (text) => isSame(text, `${text}a`), most: LONG },
  fileNameIn: { run: (text) => fileNameIn(`https://example.com/${text}`), most: LONG },
  asksNothing: { run: (text) => asksNothing(text), most: LONG },
  questionsIn: { run: (text) => questionsIn(text), most: LONG },
  rewriteByRule: { run: (text) => rewriteByRule(text, [{ by: 'visitor', text }], null), most: LONG },

  parseFaqCsv: {
    run: (text) => [parseFaqCsv(text, new Set()), parseFaqCsv(`question,answer\n${text}`, new Set())],
    most: 50_000,
  },
  sameQuestion: { run: sameQuestion, most: LONG },
  visitorSays: {
    run: (text) =>
      visitorSays(
        { type: 'text', text },
        { input: 'date', mode: 'date', range: false, placeholder: '', required: true },
      ),
    most: MESSAGE,
  },
  messageToString: {
    run: (text) => messageToString({ kind: 'text', text: plainRichText(text) } satisfies BotMessage),
    most: LONG,
  },

  cutContent: {
    run: (markdown) =>
      carryOut(cutContent, { content: { ...nothing, title: 'A', markdown }, isFaq: false, known: null }),
    most: 100_000,
  },
  readContent: {
    run: (text) =>
      carryOut(readContent, { bytes: Buffer.from(text), contentType: 'text/plain', kind: 'text', url: 'https://a.b/' }),
    most: LONG,
  },
  parseFeed: {
    run: (text) =>
      [
        `<rss><channel><item><title>${text}`,
        `<feed><entry>${text}</entry></feed>`,
        `{"version":"https://jsonfeed.org/",${text}`,
      ].map((feed) => parseFeed({ bytes: Buffer.from(feed), contentType: undefined, url: 'https://a.b/', most: 100 })),
    most: LONG,
  },
  'parseFeed of entries': {
    run: (text) =>
      parseFeed({
        bytes: Buffer.from(
          `<rss><channel>${`<item><link>https://a.b/${text.slice(0, 20)}</link></item>`.repeat(text.length / 40)}`,
        ),
        ...{ contentType: undefined, url: 'https://a.b/', most: 100 },
      }),
    most: LONG,
  },
  parseArticles: {
    run: (title) => [
      parseArticles({ bytes: Buffer.from(JSON.stringify({ articles: [{ ...article, title, body: '' }] })) }),
      parseArticles({ bytes: Buffer.from(title) }),
    ],
    most: LONG,
  },
  parseLocales: { run: (text) => parseLocales({ bytes: Buffer.from(text) }), most: LONG },
  parseArticle: {
    run: (body) => parseArticle({ bytes: Buffer.from(JSON.stringify({ article: { ...article, title: '', body } })) }),
    most: 20_000,
  },
  articleToMarkdown: {
    run: (text) => articleToMarkdown({ parts: [{ label: 'Answer', text, isHtml: true }], url: 'https://example.com' }),
    most: 20_000,
  },
  fileText: {
    run: (text) => ['a.md', 'a.mdx', 'a.txt'].map((path) => fileText(path, `---\ntitle: ${text}\n---\n${text}`)),
    most: LONG,
  },
  readPktLines: { run: (text) => thrown(() => [...readPktLines(Buffer.from(text))]), most: LONG },
  readRefs: { run: (text) => thrown(() => readRefs(Buffer.from(`0014${text.slice(0, 16)}${text}`))), most: LONG },
  readSitemapFile: {
    run: (text) =>
      carryOut(readSitemapFile, {
        bytes: Buffer.from(`<urlset><loc>${text}`),
        contentType: undefined,
        scope,
        most: 100,
      }),
    most: LONG,
  },
  redactTexts: {
    run: (text) => carryOut(redactTexts, { kind: 'json', texts: [JSON.stringify({ text })], which: redactable }),
    most: LONG,
  },
  readContactsCsv: { run: (csv) => carryOut(readContactsCsv, new TextEncoder().encode(csv)), most: 50_000 },
  readFaqCsv: { run: (csv) => carryOut(readFaqCsv, { csv, present: new Set<string>() }), most: 50_000 },
  replaceLinks: { run: (text) => [replaceLinks(text, () => ''), replacePictures(text, () => '')], most: LONG },
  segmentsOf: {
    run: (text) => [...segmentsOf(new Intl.Segmenter('und', { granularity: 'word' }), text)].length,
    most: LONG,
  },
  beginningOf: { run: beginningOf, most: LONG },
  createRobots: { run: readRobots, most: LONG },
  'wildcards of robots.txt': { run: matchRobots, most: URL },
  chunkMarkdown: { run: (text) => chunkMarkdown(text, 'Title'), most: LONG },
  chunkFaq: { run: (text) => chunkFaq({ question: 'a', answer: text, phrasings: [] }), most: LONG },
  plainText: { run: plainText, most: LONG },
  markdownBlocks: { run: markdownBlocks, most: LONG },
  splitText: { run: (text) => splitText(text, 1_200), most: LONG },
  scope: {
    run: (text) => {
      const url = normalizeUrl(`https://a.b/${text}`)
      return url && [isWanted(url, scope), isTrap(url), familyOf(url)]
    },
    most: URL,
  },
  normalizeUrl: {
    run: (text) =>
      [text, `https://a.b/${text}`, `https://a.b/?${text}`, `https://${text}`].map((url) => normalizeUrl(url)),
    most: LONG,
  },
  parseSitemap: { run: parseSitemap, most: LONG },
  'parseSitemap of locations': {
    run: (text) => [parseSitemap(`<urlset><loc>${text}`), parseSitemap(`<urlset>${text}</urlset>`)],
    most: LONG,
  },
  readHead: {
    run: (text) =>
      [text, `<style>${text}`, `<link ${text}>`, `<title>${text}</title>`].map((page) =>
        readHead(page, 'https://a.b/'),
      ),
    most: LONG,
  },
  readColours: {
    run: (text) => [
      readColours([text], [text]),
      readColours([`a{${text}}`], []),
      readColours([`a{color:${text}}`, `${text}{color:red}`], []),
    ],
    most: LONG,
  },
  readSite: {
    run: (text) => [
      carryOut(readSite, { step: 'head', html: Buffer.from(text), url: 'https://a.b/' }),
      carryOut(readSite, { step: 'colours', sheets: [], styles: [], named: [], manifest: Buffer.from(text) }),
    ],
    most: LONG,
  },
  parseColour: { run: parseColour, most: LONG },
  pdfLines: { run: (text) => pdfLines([item(text), item(text)]), most: MESSAGE },
  filledFields: {
    run: (text) =>
      filledFields(
        text.split('\n').map((line) => ({ subtype: 'Widget', fieldType: 'Tx', fieldName: line, fieldValue: text })),
        2_000,
      ),
    most: MESSAGE,
  },
  joinLines: { run: (text) => joinLines(text.split('\n')), most: LONG },
  'laidOut of words': {
    run: (text) => {
      const pieces = text.split(/[ \n]/).map((word) => pieceOf(item(word)))
      const places = [
        // in one line, in one column, in three, and in two of which the second moves
        (at: number) => ({ x: at * 60, y: 0 }),
        (at: number) => ({ x: 0, y: -at * 12 }),
        (at: number) => ({ x: (at % 3) * 150, y: -Math.floor(at / 3) * 12 }),
        (at: number) => ({ x: (at % 2) * (150 + (at % 7) * 30), y: -Math.floor(at / 2) * 12 }),
      ]
      return places.map((place) => laidOut(pieces.map((piece, at) => ({ ...piece, ...place(at) }))))
    },
    most: LONG,
  },
  pdfMarkdown: {
    run: (text) =>
      pdfMarkdown([text.split('\n').map((line, at) => ({ text: line, y: at * 10, x: 0, size: 10, columns: false }))]),
    most: LONG,
  },
  withScans: {
    run: (text) => [
      withScans(text, new Map([[2, text]])),
      withScans(text.replaceAll(' ', '\n<!-- page 1 -->\n'), new Map([[2, 'a']])),
    ],
    most: LONG,
  },
  rightToLeft: {
    run: (text) => [isRightToLeft(text), plainLetters(text), reorder(text, true, true), reorder(text, false)],
    most: LONG,
  },
  wantedBy: { run: wantedBy, most: LONG },
  withoutAsking: { run: withoutAsking, most: LONG },
  answersWanted: {
    run: (text) => [
      answersWanted({ time: true, amount: true, name: true }, text, new Set())('a'),
      answersWanted({ time: true, amount: true, name: true }, 'a', new Set())(text),
    ],
    most: PASSAGE,
  },
  plain: { run: plain, most: PASSAGE },
  asWritten: { run: asWritten, most: PASSAGE },
  sentencesOf: { run: sentencesOf, most: PASSAGE },
  'candidatesOf a question': {
    run: (text) => candidatesOf([passage('One sentence. Another one.')], text),
    most: QUESTION,
  },
  'candidatesOf a passage': { run: (text) => candidatesOf([passage(text)], 'Where is it?'), most: PASSAGE },
  contentKind: {
    run: (text) => [
      contentKind(undefined, Buffer.from(text)),
      kindBySaying(text),
      mediaType(text),
      contentKind(text, new Uint8Array()),
    ],
    most: LONG,
  },
  decodeText: {
    run: (text) => [
      decodeText(Buffer.from(text)),
      decodeText(Buffer.from(`<meta ${text}`)),
      decodeText(Buffer.from('a'), `text/html; ${text}`),
      decodeText(Buffer.from(text, 'utf16le')),
    ],
    most: LONG,
  },
  blockHashes: { run: (text) => withoutBlocks(text, new Set(blockHashes(text).slice(1))), most: LONG },
  parseTree: { run: (text) => innerHtml(parseTree(text).root), most: LONG },
  toMarkdown: {
    run: (text) =>
      [`<p>${text}`, `<pre>${text}</pre><code>${text}</code>`].map((html) => toMarkdown(parseTree(html).root)),
    most: LONG,
  },
  readHtml: { run: (text) => readHtml(text, 'https://a.b/'), most: 20_000 },
  'readHtml of a page': {
    run: (text) =>
      readHtml(`<html lang="en"><head><title>${text}</title></head><body><p>${text}</p></body></html>`, 'https://a.b/'),
    most: 20_000,
  },
  plainCase: { run: (text) => [plainCase(text), fold(text), keepsMarks(text, null)], most: LONG },
  languageOf: { run: languageOf, most: LONG },
  closer: { run: (text) => ['zh', 'nl', 'id', 'sr'].map((language) => closer(language, text)), most: LONG },
  madeUpQuestions: { run: (text) => madeUpQuestions([text]), most: LONG },
  askedOf: { run: (text) => askedOf(text, lexicon), most: LONG },
  mendSpelling: {
    run: (text) =>
      mendSpelling(text, { chunks: () => 0, frequency: () => 0, isNamed: () => false, isInflected: () => false }),
    most: LONG,
  },
  daysOf: { run: daysOf, most: LONG },
  findConcepts: { run: (text) => lexicon.find(tokenize(text)), most: LONG },
  tokensOf: { run: (text) => tokensOf({ heading: '', body: text, isFaq: false, language: null }), most: LONG },
  tokenize: { run: tokenize, most: LONG },
  checkContent: {
    run: (text) => checkContent({ fromName: text, to: [text], cc: [], bcc: [], replyTo: [], subject: text }),
    most: LONG,
  },
}
