import { rootCertificates } from 'node:tls'

/** Options of TLS that trust one more authority besides the usual ones: of tests, whose authority is new each time. */
export const trusted = (ca: string | undefined): { ca?: string[] } => (ca ? { ca: [...rootCertificates, ca] } : {})
