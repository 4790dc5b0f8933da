import source from './subjects.ts?raw'

/** Files whose functions read foreign text; what they have for others is measured through those. */
const files = {
  ...import.meta.glob('../../../engine/values/*.ts', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob('../../../engine/intents/*.ts', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob('../../../server/knowledge/{chunks,documents,extractive,page}/*.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob('../../../server/workers/tasks.ts', { query: '?raw', import: 'default', eager: true }),
} as Record<string, string>

/** Takes no foreign text, is measured by the name of its file's other functions, or has a test of its own. */
const others = new Set(
  [
    // of what editors set up: bounded by the caps of their fields
    'tooLong tooShort newComparison needsValue finishedComparisons conditionHolds conditionNeeds conditionReads contactFieldCap',
    'staticValue dynamicValueSchema dynamicValueLength dynamicValueVariables dynamicValueToString isBlankValue entryTooLong',
    'richTextSchema isChip richTextLength richTextVariables renderRichText listPlaceOf listMarkers nestLists variableValue printer',
    'systemVariables resolveValue isPhoneCountry callingCode findSystemVariable isReservedId systemValues readKey intentsOf media isJson',
    // a test of one character or of a beginning
    'isExternalUrl isLinkUrl isFileUrl isMediaUrl isTimeZone inTimeZone clockIn withoutOffset placeholdersIn',
    // patterns and JSONPath have a budget of work (engine/values/pattern.ts, jsonPath.ts)
    'newMatchWork matchesPattern isPattern compilePattern jsonPathProblem readJsonPath jsonPathOf selectNodes',
    // `each` measures them by their modules
    'findEmails findUrls findPhones findDates findNumbers findYesNo withoutPhones isPhone parseNumber parseDomain',
    // numbers and trained models
    'measureLikeness joinLikeness trainIntentsInSteps softmax scoresOf',
    // around the network and threads, or parts of what is measured: toMarkdown and textOf by readHtml, extract and rank by candidatesOf
    'addressProblem createHostGate readPage createPages unread unreadSince unreadByStatus createPdfReader urlKey siteOf isElement',
    'textOf toMarkdown chunksOfMarkdown pack pageMark extract rank',
    // a document's bytes: in a thread with limits (documents/pdf.test.ts)
    'extractPdf readPdf',
  ].flatMap((names) => names.split(' ')),
)

/** Exported functions, and tasks of threads, that subjects.ts does not name. */
export function unlisted(): string[] {
  return Object.entries(files)
    .filter(([file]) => !file.endsWith('.test.ts'))
    .flatMap(([file, text]) => {
      const names = file.endsWith('/tasks.ts')
        ? text.matchAll(/^ {2}(\w+): async \(/gm)
        : text.matchAll(/^export (?:async )?(?:function\*? |const (?=\w+(?::[^=]+)? = (?:async )?\())(\w+)/gm)
      return Array.from(names, ([, name = '']) => name)
    })
    .filter((name) => !others.has(name) && !new RegExp(`\\b${name}\\b`).test(source))
}
