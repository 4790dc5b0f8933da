import { RotateCw, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalModel } from '../../../server/contracts/localModels'
import { failureText } from '../../api/failure'
import { useLocalModelChanges } from '../../api/localModels'
import { formatBytes, formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import styles from './aiSettings.module.css'
import { LocalModelSettings } from './LocalModelSettings'

interface LocalModelRowProps {
  pgid: string
  model: LocalModel
  /** null: read-only */
  onRemove: (() => void) | null
}

/** A model in files: what it is, how far it has come, and whether it is in use. */
export function LocalModelRow({ pgid, model, onRemove }: LocalModelRowProps) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const { use, goOn } = useLocalModelChanges(pgid)
  const [setting, setSetting] = useState(false)
  const { gid, name, state, problem, address, licence, sha256, in_use, kind } = model
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <div className={styles.name}>
          {name} {in_use && <Badge tone="success">{t('meaning.inUse')}</Badge>}
          {state === 'failed' && <Badge tone="danger">{t('meaning.failed')}</Badge>}
        </div>
        {address && <p className={styles.facts}>{address}</p>}
        <p className={styles.facts}>{useFacts(model)}</p>
        {state === 'ready' && (
          <p className={styles.facts}>
            {licence === null ? t('meaning.noLicence') : t('meaning.licence', { licence })}
            {sha256 && (
              <>
                {' · '}
                <abbr title={sha256}>{t('meaning.sha256', { start: sha256.slice(0, 12) })}</abbr>
              </>
            )}
          </p>
        )}
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <LoadingBar model={model} />
      </div>
      {onRemove && (
        <>
          {state === 'failed' && (
            <Button
              size="s"
              icon={<RotateCw />}
              loading={goOn.isPending}
              onClick={() => goOn.mutate(gid, { onError })}
              aria-label={t('meaning.retryOf', { name })}
            >
              {t('meaning.retry')}
            </Button>
          )}
          {state === 'ready' && (
            <Button
              size="s"
              design={in_use ? undefined : 'primary'}
              loading={use.isPending}
              onClick={() => use.mutate({ gid, in_use: !in_use }, { onError })}
              aria-label={t(in_use ? 'meaning.stopOf' : 'meaning.useOf', { name })}
            >
              {t(in_use ? 'meaning.stop' : 'meaning.use')}
            </Button>
          )}
          {state === 'ready' && kind === 'onnx' && (
            <IconButton
              size="s"
              label={t('meaning.settingsOf', { name })}
              icon={<SlidersHorizontal />}
              onClick={() => setSetting(true)}
            />
          )}
          <IconButton size="s" label={t('meaning.removeOf', { name })} icon={<Trash2 />} onClick={onRemove} />
        </>
      )}
      {setting && <LocalModelSettings pgid={pgid} model={model} onClose={() => setSetting(false)} />}
    </li>
  )
}

function useFacts({ state, kind, loaded_bytes, total_bytes, tokens, dimension }: LocalModel): string {
  const { t } = useTranslation('aiSettings')
  if (state === 'ready')
    return [
      ...(kind === 'onnx' ? [t('meaning.onnx')] : []),
      ...(total_bytes === null && loaded_bytes === 0 ? [] : [formatBytes(total_bytes ?? loaded_bytes)]),
      t(kind === 'onnx' ? 'meaning.vocabulary' : 'meaning.tokens', {
        tokens: formatNumber(tokens ?? 0),
        dimension: formatNumber(dimension ?? 0),
      }),
    ].join(' · ')
  if (state === 'packing') return t('meaning.packing')
  if (state === 'waiting') return t('meaning.waiting')
  const loaded = formatBytes(loaded_bytes)
  return total_bytes === null ? loaded : t('meaning.loaded', { loaded, total: formatBytes(total_bytes) })
}

function LoadingBar({ model }: { model: LocalModel }) {
  const { t } = useTranslation('aiSettings')
  if (model.state !== 'loading') return null
  const part = model.total_bytes === null ? 0 : Math.min(1, model.loaded_bytes / model.total_bytes)
  return (
    <div
      role="progressbar"
      aria-label={t('meaning.loadingOf', { name: model.name })}
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.bar}
    >
      <div className={styles.filled} style={{ width: `${part * 100}%` }} />
    </div>
  )
}
