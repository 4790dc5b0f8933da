export const languages = ['curl', 'typescript', 'python'] as const
export type Language = (typeof languages)[number]

export interface SnippetCall {
  /** upper case */
  method: string
  /** the whole address, with its query */
  url: string
  /** the body's value; undefined: none */
  body: unknown
  /** what it answers is a file: it is written to the program's output, as it came */
  isFile: boolean
}

/** Where the snippets read the key from. */
const KEY = 'PARLEY_API_KEY'

/** A call as code that runs as it is, with the key in the environment. */
export const snippetOf = (language: Language, call: SnippetCall): string => writers[language](call)

const writers: Readonly<Record<Language, (call: SnippetCall) => string>> = {
  curl({ method, url, body }) {
    const lines = [
      `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
      `-H "Authorization: Bearer $${KEY}"`,
      ...(body === undefined
        ? []
        : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ]
    return lines.join(' \\\n  ')
  },
  typescript({ method, url, body, isFile }) {
    return [
      `const response = await fetch(${JSON.stringify(url)}, {`,
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      '  headers: {',
      `    authorization: \`Bearer \${process.env.${KEY}}\`,`,
      ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
      '  },',
      ...(body === undefined ? [] : [`  body: JSON.stringify(${shifted(JSON.stringify(body, null, 2))}),`]),
      '})',
      'if (!response.ok) throw new Error((await response.json()).detail)',
      isFile
        ? 'process.stdout.write(Buffer.from(await response.arrayBuffer()))'
        : 'console.log(response.status === 204 ? null : await response.json())',
    ].join('\n')
  },
  python({ method, url, body, isFile }) {
    const isJson = body !== undefined
    return [
      `import ${isJson || !isFile ? 'json, ' : ''}os, ${isFile ? 'sys, ' : ''}urllib.request`,
      '',
      'request = urllib.request.Request(',
      `    ${JSON.stringify(url)},`,
      `    method="${method}",`,
      '    headers={',
      `        "Authorization": "Bearer " + os.environ["${KEY}"],`,
      ...(isJson ? ['        "Content-Type": "application/json",'] : []),
      '    },',
      ...(isJson ? [`    data=json.dumps(${pythonOf(body, '    ')}).encode(),`] : []),
      ')',
      'with urllib.request.urlopen(request) as response:',
      isFile ? '    sys.stdout.buffer.write(response.read())' : '    print(json.loads(response.read() or "null"))',
    ].join('\n')
  },
}

/** A value of JSON as Python writes it. */
function pythonOf(value: unknown, indent: string): string {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((each) => pythonOf(each, indent)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonOf(each, inner)},`,
  )
  return lines.length === 0 ? '{}' : ['{', ...lines, `${indent}}`].join('\n')
}

/** For a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const shifted = (text: string): string => text.replaceAll('\n', '\n  ')
