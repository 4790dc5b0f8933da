import { type Answer, type Call, fieldsOf, Refusal } from '../call'
import { compileRoutes, type Route } from '../routes'
import { refuseSalesforce, salesforceError } from './errors'
import { createRecord } from './records'
import { objectOf, restore, type SalesforceState } from './state'

interface Part {
  method: string
  url: string
  referenceId: string
  body?: unknown
  httpHeaders?: Record<string, string>
}
interface PartAnswer {
  body: unknown
  httpHeaders: Record<string, string>
  httpStatusCode: number
  referenceId: string
}

/** `POST composite`: answers 200 though parts fail; with `allOrNone` one that fails undoes the others */
export function runComposite(state: SalesforceState, routes: readonly Route[], call: Call): Answer {
  const { allOrNone = false, compositeRequest = [] } = fieldsOf(call.body) as {
    allOrNone?: boolean
    compositeRequest?: Part[]
  }
  const find = compileRoutes(routes)
  const before = structuredClone([...state.records])
  const done: PartAnswer[] = []
  for (const part of compositeRequest) {
    const halted = allOrNone && done.some(({ httpStatusCode }) => httpStatusCode >= 400)
    done.push(halted ? haltedPart(part) : runPart(part, done, find, call))
  }
  if (allOrNone && done.some(({ httpStatusCode }) => httpStatusCode >= 400)) {
    restore(state, before)
    const undone = done.map((part) => (part.httpStatusCode < 400 ? haltedPart(part) : part))
    return { status: 200, body: { compositeResponse: undone } }
  }
  return { status: 200, body: { compositeResponse: done } }
}

function runPart(
  part: Part,
  done: readonly PartAnswer[],
  find: ReturnType<typeof compileRoutes>,
  call: Call,
): PartAnswer {
  try {
    const { url, body } = resolveReferences({ url: part.url, body: part.body }, done)
    const parsed = new URL(url, 'http://stand-in')
    const found = find(part.method, parsed.pathname)
    if (!found) throw refuseSalesforce(404, 'NOT_FOUND', 'The requested resource does not exist')
    const inner: Call = {
      ...call,
      method: part.method,
      path: parsed.pathname,
      params: found.params,
      query: Object.fromEntries(parsed.searchParams),
      headers: part.httpHeaders ?? {},
      body,
    }
    const answer = found.route.handle(inner) as Answer
    return {
      body: answer.body ?? null,
      httpHeaders: answer.headers ?? {},
      httpStatusCode: answer.status,
      referenceId: part.referenceId,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      body: error.answer.body,
      httpHeaders: {},
      httpStatusCode: error.answer.status,
      referenceId: part.referenceId,
    }
  }
}

/** Puts what parts before have answered in for `@{reference.field}`. @throws a Refusal for a reference to nothing */
function resolveReferences<T>(value: T, done: readonly PartAnswer[]): T {
  if (typeof value === 'string')
    return value.replace(/@\{(\w+)\.([\w.]+)\}/g, (_, name: string, path: string) => {
      const part = done.find(({ referenceId }) => referenceId === name)
      const found = path.split('.').reduce<unknown>((inner, key) => fieldsOf(inner)[key], part?.body)
      if (part === undefined || part.httpStatusCode >= 400 || found === undefined)
        throw refuseSalesforce(
          400,
          'PROCESSING_HALTED',
          `Invalid reference specified. No value for ${name}.${path} found`,
        )
      return String(found)
    }) as T
  if (Array.isArray(value)) return value.map((inner) => resolveReferences(inner, done)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner, done)])) as T
}

function haltedPart({ referenceId }: { referenceId: string }): PartAnswer {
  const message = 'The transaction was rolled back since another operation in the same transaction failed.'
  return {
    body: salesforceError(400, 'PROCESSING_HALTED', message).body,
    httpHeaders: {},
    httpStatusCode: 400,
    referenceId,
  }
}

/** `POST composite/sobjects`: up to 200 new records, each with its own result */
export function createMany(state: SalesforceState, body: unknown): Answer {
  const { allOrNone = false, records = [] } = fieldsOf(body) as {
    allOrNone?: boolean
    records?: ({ attributes: { type: string } } & Record<string, unknown>)[]
  }
  const before = structuredClone([...state.records])
  const results = records.map((record) => {
    try {
      const made = createRecord(state, objectOf(state, record.attributes.type), record)
      return { id: made.id, success: true, errors: [] as object[] }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const [{ errorCode, message, fields = [] }] = error.answer.body as [
        { errorCode: string; message: string; fields?: string[] },
      ]
      return { success: false, errors: [{ statusCode: errorCode, message, fields }] }
    }
  })
  if (!allOrNone || results.every(({ success }) => success)) return { status: 200, body: results }
  restore(state, before)
  const rolledBack = {
    statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
    message: 'Record rolled back because not all records were valid',
    fields: [],
  }
  return {
    status: 200,
    body: results.map((result) => (result.success ? { success: false, errors: [rolledBack] } : result)),
  }
}
