import { z } from 'zod'
import { httpMethods, httpTimeouts } from '../../engine/effects/http'
import { idSchema } from '../../engine/flow/schema'
import { caps, tooLong } from '../../engine/values/caps'
import {
  type DynamicValue,
  dynamicValueSchema,
  dynamicValueToString,
  staticValue,
} from '../../engine/values/dynamicValue'
import { JSON_PATH_CAP, jsonPathProblem } from '../../engine/values/jsonPath'
import { ANY_VALUE, jsonProblem } from '../../engine/values/jsonProblem'
import { urlRule } from '../../engine/values/rules'

export const bodyTypes = ['none', 'json', 'form', 'urlencoded', 'raw'] as const
export const authTypes = ['none', 'basic', 'bearer', 'header'] as const
/** What can be saved in a variable: a part of the body by JSONPath, the status, a header by name, the error. */
export const sources = ['body', 'status', 'header', 'error'] as const

export const httpCaps = { name: 250, body: caps.text, rows: 50, retries: 5, sample: 20_000 } as const

const pair = z.strictObject({
  id: idSchema,
  name: dynamicValueSchema(httpCaps.name),
  value: dynamicValueSchema(caps.setVariable),
})
const pairs = z.array(pair).max(httpCaps.rows)

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/
const headerName = {
  test: (name: string) => HEADER_NAME.test(name.trim()),
  message: 'Enter a valid header name (letters, digits and hyphens)',
}
const headers = z.array(pair.extend({ name: dynamicValueSchema(httpCaps.name, headerName) })).max(httpCaps.rows)

const mappingSchema = z
  .strictObject({
    id: idSchema,
    from: z.enum(sources),
    /** a JSONPath for `body`, a name for `header`; otherwise ignored. Empty: incomplete, nothing is saved */
    path: z.string().max(JSON_PATH_CAP, tooLong(JSON_PATH_CAP)),
    variableId: idSchema.nullable(),
  })
  .superRefine(({ from, path }, { addIssue }) => {
    const problem =
      path === ''
        ? null
        : from === 'body'
          ? jsonPathProblem(path)
          : from === 'header' && !headerName.test(path)
            ? headerName.message
            : null
    if (problem) addIssue({ code: 'custom', path: ['path'], message: problem })
  })

export const httpRequestSchema = z
  .strictObject({
    method: z.enum(httpMethods),
    url: dynamicValueSchema(caps.url, urlRule),
    query: pairs,
    headers,
    /** the fields of all types are kept when another one is chosen */
    auth: z.strictObject({
      type: z.enum(authTypes),
      username: dynamicValueSchema(caps.setVariable),
      password: dynamicValueSchema(caps.setVariable),
      token: dynamicValueSchema(caps.setVariable),
      name: dynamicValueSchema(httpCaps.name, headerName),
      value: dynamicValueSchema(caps.setVariable),
    }),
    bodyType: z.enum(bodyTypes),
    /** for the types `json` and `raw` */
    body: dynamicValueSchema(httpCaps.body),
    /** for the types `form` and `urlencoded` */
    fields: pairs,
    /** seconds */
    timeout: z.int().min(httpTimeouts.least).max(httpTimeouts.most),
    /** retries if a server is busy (429, 503) */
    retries: z.int().min(0).max(httpCaps.retries),
    followRedirects: z.boolean(),
    mapping: z.array(mappingSchema).max(httpCaps.rows),
    /** the response in a test that does not send it: JSON or text */
    sample: z.string().max(httpCaps.sample, tooLong(httpCaps.sample)).optional(),
  })
  .superRefine(({ bodyType, body }, { addIssue }) => {
    const problem =
      bodyType === 'json' && !isEmpty(body) ? jsonProblem(dynamicValueToString(body, () => ANY_VALUE)) : null
    if (problem) addIssue({ code: 'custom', path: ['body'], message: problem })
  })

export const isEmpty = (value: DynamicValue): boolean => dynamicValueToString(value, () => ANY_VALUE).trim() === ''

export type HttpRequestData = z.infer<typeof httpRequestSchema>
export type HttpPair = z.infer<typeof pair>
export type HttpMapping = z.infer<typeof mappingSchema>

export const newPair = (id: () => string): HttpPair => ({ id: id(), name: staticValue(''), value: staticValue('') })
export const newMapping = (id: () => string): HttpMapping => ({ id: id(), from: 'body', path: '', variableId: null })

export const httpRequestDefaults = (): HttpRequestData => ({
  method: 'GET',
  url: staticValue(''),
  query: [],
  headers: [],
  auth: {
    type: 'none',
    username: staticValue(''),
    password: staticValue(''),
    token: staticValue(''),
    name: staticValue(''),
    value: staticValue(''),
  },
  bodyType: 'none',
  body: staticValue(''),
  fields: [],
  timeout: 10,
  retries: 2,
  followRedirects: true,
  mapping: [],
})
