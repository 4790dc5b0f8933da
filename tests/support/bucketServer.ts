import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { BucketSettings } from '../../server/platform/config/bucketSettings'
import { checkSignatures } from './signatureCheck'

/** A server that speaks S3's protocol and checks signatures, with one empty bucket. */
export async function startBucketServer(): Promise<{ settings: BucketSettings; close: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bucket-'))
  const bucket = 'parley-files'
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  const [accessKeyId, secretAccessKey] = ['S3RVER', 'a secret of tests']
  const front = await checkSignatures(new URL(`http://127.0.0.1:${port}`), { id: accessKeyId, secret: secretAccessKey })
  return {
    settings: {
      ...{ endpoint: front.url, region: 'us-east-1', bucket, prefix: 'shop/', browserUrl: null },
      ...{ accessKeyId, secretAccessKey },
    },
    close: async () => {
      await front.close()
      const closed = new Promise((resolve) => server.httpServer.close(resolve))
      // ours keep their connections for the next call
      server.httpServer.closeAllConnections()
      await closed
      await rm(directory, { recursive: true, force: true })
    },
  }
}
