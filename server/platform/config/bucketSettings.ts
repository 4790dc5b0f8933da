import { z } from 'zod'
import { StartError } from '../database/startError'

/** S3-compatible storage for uploaded files. */
export interface BucketSettings {
  /** without a trailing slash; the bucket's name is the first part of its paths */
  endpoint: string
  region: string
  bucket: string
  /** what names of objects begin with; empty, or with a slash at its end */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
  /** where browsers reach the endpoint, to load files from there; null: this server passes them on */
  browserUrl: string | null
}

/** Of a service that speaks S3's protocol. */
export const address = z
  .string()
  .refine(isAddress, 'give the address of the service, such as https://s3.eu-central-1.amazonaws.com')
  .transform((url) => url.replace(/\/+$/, ''))

/** The variables about S3-compatible storage, for the table of all settings. */
export const bucketVariables = {
  S3_BUCKET: z
    .string()
    .refine(
      (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name),
      'give the name of a bucket, such as parley-files',
    )
    .optional(),
  S3_ENDPOINT: address.optional(),
  S3_REGION: z
    .string()
    .default('us-east-1')
    .refine((name) => /^[a-z0-9-]{1,40}$/.test(name), 'give the name of a region, such as eu-central-1'),
  S3_PREFIX: z
    .string()
    .default('')
    .refine((text) => /^[A-Za-z0-9_-]{0,60}$/.test(text), 'give a word of letters, digits, - and _'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_BROWSER_URL: address.optional(),
} as const

/** @returns null: files lie in a folder. @throws StartError for a bucket without keys, or keys without a bucket */
export function readBucketSettings(given: z.output<z.ZodObject<typeof bucketVariables>>): BucketSettings | null {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_PREFIX } = given
  if (!S3_BUCKET) {
    if (S3_ACCESS_KEY_ID || S3_SECRET_ACCESS_KEY || given.S3_ENDPOINT)
      throw new StartError(
        'S3_BUCKET is missing, while other settings of S3 are given: name the bucket, or leave all out',
      )
    return null
  }
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new StartError(
      'S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, the keys of an account that may use it',
    )
  return {
    endpoint: given.S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`,
    region: S3_REGION,
    bucket: S3_BUCKET,
    prefix: S3_PREFIX && `${S3_PREFIX}/`,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    browserUrl: given.S3_BROWSER_URL ?? null,
  }
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username } = new URL(text)
  return /^https?:$/.test(protocol) && !search && !hash && !username
}
