import { registry } from '../../../../blocks/registry'
import { type ImportRequest, readTranslations } from './importTranslations'

// a large file takes seconds: the page goes on meanwhile
self.addEventListener('message', ({ data }: MessageEvent<ImportRequest>) => {
  self.postMessage(readTranslations(data, registry))
})
