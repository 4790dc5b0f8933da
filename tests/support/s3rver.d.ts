declare module 's3rver' {
  import type { Server } from 'node:http'

  /** As far as tests use it. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    httpServer: Server
    run(): Promise<{ port: number }>
  }
}
