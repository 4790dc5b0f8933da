import { z } from 'zod'
import { defineRoute, ok } from './route'

/** Violations of the content security policy: browsers report them to one address, and who runs Parley sees them. */
const text = z.string().max(8_000).nullish()
const number = z.number().nullish()

/** As `report-uri` has it sent (CSP level 3, 5.5), in `application/csp-report`. */
const oldReport = z.strictObject({
  'document-uri': text,
  referrer: text,
  'blocked-uri': text,
  'violated-directive': text,
  'effective-directive': text,
  'original-policy': text,
  disposition: text,
  'status-code': number,
  'script-sample': text,
  'source-file': text,
  'line-number': number,
  'column-number': number,
})

/** As `report-to` has it sent (Reporting API), in `application/reports+json`, with others in a list. */
const newReport = z.strictObject({
  type: z.literal('csp-violation'),
  age: number,
  attempts: number,
  url: text,
  user_agent: text,
  body: z.strictObject({
    documentURL: text,
    referrer: text,
    blockedURL: text,
    effectiveDirective: text,
    originalPolicy: text,
    disposition: text,
    statusCode: number,
    sample: text,
    sourceFile: text,
    lineNumber: number,
    columnNumber: number,
  }),
})

/** Either kind; the list of the newer one stands in `reports`. */
export const cspReportBody = z.strictObject({
  'csp-report': oldReport.optional(),
  reports: z.array(newReport).min(1, 'Give at least one report').max(20, 'At most 20 reports').optional(),
})
export type CspReportBody = z.infer<typeof cspReportBody>

/** Answers 204, whether it keeps anything or not. */
export const sendCspReports = defineRoute({
  method: 'POST',
  path: '/api/csp-reports',
  access: 'public',
  limit: { by: 'address', most: 60 },
  bodyLimit: 32_000,
  body: cspReportBody,
  answer: z.unknown(),
})

export const keptCspReport = z.strictObject({
  directive: z.string(),
  /** an origin, or a word such as `inline` */
  blocked: z.string(),
  /** its path, with names for ids; null: a page that is no screen, no chat and no documentation */
  page: z.string().nullable(),
  /** a path of this server or an origin; null: not known */
  source: z.string().nullable(),
  line: z.int().nullable(),
  count: z.int(),
  first_at: z.string(),
  last_at: z.string(),
})
export type KeptCspReport = z.infer<typeof keptCspReport>

export const listCspReports = defineRoute({
  method: 'GET',
  path: '/api/admin/csp-reports',
  access: 'operator',
  answer: z.strictObject({ reports: z.array(keptCspReport) }),
})
export const clearCspReports = defineRoute({
  method: 'DELETE',
  path: '/api/admin/csp-reports',
  access: 'operator',
  answer: ok,
})
