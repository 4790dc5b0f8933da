import type { VendorAnswer } from '../modules/integrations/calls/vendorFetch'

/** The headers of an answer whose names match. */
export const headersLike = (answer: VendorAnswer | null, name: RegExp): [name: string, value: string][] =>
  Object.entries(answer?.headers ?? {}).filter(([each]) => name.test(each))
