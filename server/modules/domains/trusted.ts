import { rootCertificates } from 'node:tls'

/** TLS options that trust one more authority besides the usual ones: for tests, which create their own. */
export const trusted = (ca: string | undefined): { ca?: string[] } => (ca ? { ca: [...rootCertificates, ca] } : {})
