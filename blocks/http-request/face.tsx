import { Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { SavedTo } from '../../src/text/face/SavedTo'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { isFinished } from './request'
import { type HttpMapping, type HttpRequestData, isEmpty } from './schema'

/** Saved values that are shown; a line counts the others. */
const SHOWN = 3

function HttpRequestFace({ data, names }: FaceProps<HttpRequestData>) {
  const { t } = useTranslation('blocks')
  const saved = savedOf(data)
  const empty = isEmpty(data.url)
  return (
    <>
      <div className={styles.request}>
        <span className={styles.method}>{data.method}</span>
        <span className={styles.url} data-faint={empty || undefined}>
          {empty ? (
            t('http-request.face.empty')
          ) : (
            <DynamicView value={withoutScheme(data.url)} nameOf={names.variable} />
          )}
        </span>
      </div>
      {saved.slice(0, SHOWN).map(({ id, variableId }) => (
        <SavedTo key={id} name={names.variable(variableId ?? '')} />
      ))}
      {saved.length > SHOWN && (
        <div className={styles.more}>{t('http-request.face.more', { count: saved.length - SHOWN })}</div>
      )}
    </>
  )
}

const savedOf = ({ mapping }: HttpRequestData): HttpMapping[] => mapping.filter(isFinished)

/** Omits the scheme, which says nothing in a line this short. */
function withoutScheme(url: DynamicValue): DynamicValue {
  const short = (text: string) => text.replace(/^\s*https?:\/\//i, '')
  if (url.type === 'static') return { ...url, value: short(url.value) }
  return {
    ...url,
    parts: url.parts.map((part, at) => (at === 0 && part.type === 'text' ? { ...part, text: short(part.text) } : part)),
  }
}

export const face: BlockFace<HttpRequestData> = {
  icon: Webhook,
  height: (data) => (1 + Math.min(savedOf(data).length, SHOWN + 1)) * faceMetrics.line,
  Component: HttpRequestFace,
}
