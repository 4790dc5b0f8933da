import doors from './doorSubjects.ts?raw'
import main from './subjects.ts?raw'

const source = main + doors

/** Files whose functions read foreign text; what they have for others is measured through those. */
const files = {
  ...import.meta.glob('../../../engine/{values,intents}/*.ts', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob('../../../engine/{budget,expression/parse,expression/parseExpression,expression/calendar}.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob(
    '../../../server/modules/knowledge/{chunks,crawl,documents,extractive,feeds,git,page,retrieval}/*.ts',
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  ),
  ...import.meta.glob('../../../server/modules/agents/{actions/arguments,answering/*,toolServers/*}.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob('../../../server/modules/web/website/{readHead,readColours}.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob('../../../server/{modules/**,platform/*}/tasks.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob('../../../src/{text/{conversion,typedValue},text/markdown/*,widget/view/*}.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
} as Record<string, string>

/** Files of those folders that work on numbers, rows, models and events: the texts in them are read by the others. */
const around = [
  ...['crawl/createCrawls', 'crawl/frontier', 'crawl/lostCrawls', 'crawl/sitemaps', 'crawl/visitPage'],
  ...['feeds/createFeeds', 'feeds/dueFeeds', 'feeds/feedRead', 'feeds/helpCenter', 'feeds/routes'],
  ...['feeds/orders', 'feeds/salesforceKnowledge', 'feeds/gitRepository', 'git/gitServer'],
  ...[
    'calibration',
    'confidence',
    'embedding',
    'features',
    'fuse',
    'impacts',
    'indexes',
    'lexicalIndex',
    'passages',
  ].map((name) => `retrieval/${name}`),
  ...['quantise', 'routes', 'segment', 'usual', 'vectorIndex'].map((name) => `retrieval/${name}`),
  ...[
    'answerQuestions',
    'answerEach',
    'citing',
    'search',
    'chooseModels',
    'answerContext',
    'createAnswering',
    'languageSpoken',
    'prompt',
    'answerHandler',
  ].map((name) => `answering/${name}`),
  ...['routes', 'settings', 'talkPrompt', 'visitorTexts', 'writeAnswer'].map((name) => `answering/${name}`),
  ...['answersOnly', 'client', 'routes', 'toolServers'].map((name) => `toolServers/${name}`),
  ...['createMarkdownEditor', 'history'].map((name) => `markdown/${name}`),
  ...[
    'fileSize',
    'files',
    'initial',
    'lookContext',
    'matches',
    'regional',
    'useRevealed',
    'useSeen',
    'useSound',
    'useSurvey',
    'waveform',
  ].map((name) => `view/${name}`),
].map((name) => `/${name}.ts`)

/** Takes no foreign text, is measured by the name of its file's other functions, or has a test of its own. */
const others = new Set(
  [
    // of what editors set up: bounded by the caps of their fields
    'tooLong tooShort newComparison needsValue comparisonProblems comparisonIsSettled finishedComparisons conditionHolds conditionNeeds conditionReads contactFieldCap parametersOf',
    'findLanguage languageName isRightToLeft staticValue dynamicValueSchema dynamicValueLength dynamicValueVariables dynamicValueToString isBlankValue entryTooLong',
    'richTextSchema isChip richTextLength richTextVariables renderRichText listPlaceOf listMarkers nestLists variableValue printer',
    'systemVariables resolveValue isPhoneCountry callingCode findSystemVariable isReservedId systemValues readKey intentsOf media isJson',
    // a test of one character or of a beginning
    'isExternalUrl isLinkUrl isFileUrl isMediaUrl isTimeZone inTimeZone clockIn withoutOffset placeholdersIn',
    // patterns and JSONPath have a budget of work (engine/values/pattern.ts, jsonPath.ts)
    'newMatchWork matchesPattern isPattern compilePattern jsonPathProblem readJsonPath jsonPathOf selectNodes',
    // `each` measures them by their modules
    'findEmails findUrls findPhones findDates findNumbers findYesNo withoutPhones isPhone parseNumber parseDomain',
    // numbers and trained models
    'measureLikeness joinLikeness trainIntentsInSteps softmax linearScores trainKernel speakFor confidenceOf createJudge wordIn meaningOf createMend comparedOf updateIndex loadDetector vocabularyOf',
    // of colours that were parsed, and a look that was checked
    'hexOf over mix luminance contrast inkOn readableOn lookStyle isShownImage',
    // around the network and threads, or parts of what is measured: mainContent and the like by readHtml, extract and rank by candidatesOf
    'addressProblem createHostGate readPage createPages unread unreadSince unreadByStatus createDocumentReader urlKey siteOf',
    'createVisitQueue createMetAddresses inlineCode fencedCode visit mainContent removeBoilerplate removeMenus textBlocks pageKind walk findAll treeText innerHtml nodeHtml chunksOfMarkdown pack pageMark extract rank',
    // their own time is charged, or counted in steps; what a model is asked is cut first (answering/rewriteQuestion.ts)
    'charge parseWith offsetAt minutesOf opennessAt afterOpenMinutes momentIn clashOf daysInMonth momentOf printMoment inZone formatMoment addDays addMonths daysBetween readSteps rewriteByModel',
    // parts of pasted texts, and of pages that are in scope; a file of questions of our own
    'richTextToNodes nodesToRichText dynamicToNodes nodesToDynamic chip isChipNode textToInlines padded typeOf convert print',
    'messageOf isIncluded readTokens readTotals questionsIn isFile isPicture drawQr roomOf',
    // parts of renderUrl and renderHeader; names of a list that is bounded
    'placeInUrl oneLine secretIdOf secretNameOf secretLabel gatherSecrets',
    // in a thread, with limits: drafts.test.ts, tests/bench/hostile
    'workOnDraft',
    // a document's bytes: in a thread with limits (documents/pdf.test.ts, documents.test.ts)
    'markdownTable tableOf isBlank onOneLine lineText sizeOf mostOf extractPdf extractDocument readDocument unzip readXml bookMarkdown slidesMarkdown wordMarkdown sheetsMarkdown htmlMarkdown typeByName',
    // of our own files, whose length and checksum are compared first, and of names that we gave (retrieval/indexFiles.test.ts)
    'claimFolder forgetIndexFiles createIndexFiles packPart nameOf readPart',
    // pages of a document, in a thread and by a program with limits (documents/scans.test.ts)
    'pagePicture runOcr createScanReader pageRanges',
    // a pack's bytes, likewise (git/readPack.test.ts)
    'readGitTree readGitBlobs packOf readPack applyDelta pktLine',
    // takes yes or no
    'sandboxOf',
    // ids, and addresses that are bounded where their list is parsed
    'leaveOut isLeftOut',
    // of a language's code, one of a list
    'suggestionTexts chatCodesOf',
    // a model's files, and texts that are cut for them, likewise (models/local)
    'packModel embedTexts',
    // a mail's bytes, likewise; what is done with its text is withoutQuotes
    'readMailSource',
  ].flatMap((names) => names.split(' ')),
)

/** Exported functions, and tasks of threads, that subjects.ts does not name. */
export function unlisted(): string[] {
  return Object.entries(files)
    .filter(([file]) => !file.endsWith('.test.ts') && !around.some((name) => file.endsWith(name)))
    .flatMap(([file, text]) => {
      const names = file.endsWith('/tasks.ts')
        ? text.matchAll(/^export const (\w+) = defineTask/gm)
        : text.matchAll(/^export (?:async )?(?:function\*? |const (?=\w+(?::[^=]+)? = (?:async )?\())(\w+)/gm)
      return Array.from(names, ([, name = '']) => name)
    })
    .filter((name) => !others.has(name) && !new RegExp(`\\b${name}\\b`).test(source))
}
