import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createIdSource } from '../../engine/flow/ids'
import { jsonPathOf } from '../../engine/values/jsonPath'
import { FloatingPanel } from '../../src/text/FloatingPanel'
import { useFlowScope } from '../../src/text/flowScope'
import { JsonTree } from '../../src/text/json/JsonTree'
import { nameInPath } from '../../src/text/json/nameInPath'
import { VariablePicker } from '../../src/text/VariablePicker'
import { Button } from '../../src/ui/Button'
import { ConfirmDialog } from '../../src/ui/ConfirmDialog'
import { CopyField } from '../../src/ui/CopyField'
import { Switch } from '../../src/ui/Switch'
import styles from './hook.module.css'
import { sampleOf } from './sampleOf'
import { WEBHOOK_VALUES, type WebhookData } from './schema'
import { useHook } from './useHook'

const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

interface HookAddressProps {
  blockId: string
  data: WebhookData
  setData: (patch: Partial<WebhookData>) => void
  readOnly: boolean
}

/** The block's address, and what was sent to it last: clicking a value saves it from then on. */
export function HookAddress({ blockId, data, setData, readOnly }: HookAddressProps) {
  const { t } = useTranslation('blocks')
  const { hooks } = useFlowScope()
  if (!hooks || readOnly) return <p className={styles.help}>{t('webhook.hook.readOnly')}</p>
  return <OpenHook key={blockId} blockId={blockId} data={data} setData={setData} />
}

const momentOf = (at: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))

function OpenHook({ blockId, data, setData }: Omit<HookAddressProps, 'readOnly'>) {
  const { t, i18n } = useTranslation('blocks')
  const hook = useHook(blockId)
  const [picking, setPicking] = useState<{ path: string; button: HTMLElement } | null>(null)
  const [renewing, setRenewing] = useState(false)
  const { state, problem } = hook
  if (!state)
    return (
      <div className={styles.hook} role="status">
        {problem === null ? (
          <p className={styles.help}>{t('webhook.hook.loading')}</p>
        ) : (
          <>
            <p className={styles.problem}>{problem}</p>
            <Button size="s" onClick={hook.retry}>
              {t('webhook.hook.retry')}
            </Button>
          </>
        )}
      </div>
    )
  const sample = sampleOf(state.sample)
  const close = () => {
    picking?.button.focus()
    setPicking(null)
  }
  return (
    <section className={styles.hook} aria-label={t('webhook.hook.title')}>
      <CopyField label={t('webhook.hook.address')} value={state.url} />
      <p className={styles.help}>{t('webhook.hook.addressHelp')}</p>
      <div role="status">
        {state.called_at === null ? (
          <p className={styles.waiting}>{t('webhook.hook.waiting')}</p>
        ) : (
          <p className={styles.help}>{t('webhook.hook.called', { when: momentOf(state.called_at, i18n.language) })}</p>
        )}
        {state.problem !== null && <p className={styles.problem}>{state.problem}</p>}
      </div>
      {sample !== null && (
        <>
          <p className={styles.help}>{t('webhook.hook.pick')}</p>
          <JsonTree
            label={t('webhook.hook.sample')}
            value={sample}
            onPick={
              data.mapping.length < WEBHOOK_VALUES
                ? (place, button) => setPicking({ path: jsonPathOf(place), button })
                : null
            }
          />
          <Button size="s" design="ghost" onClick={hook.forget}>
            {t('webhook.hook.forget')}
          </Button>
        </>
      )}
      <Switch
        label={t('webhook.hook.signed')}
        description={t('webhook.hook.signedHelp')}
        checked={state.signed}
        onChange={(event) => hook.sign(event.currentTarget.checked)}
      />
      {hook.secret !== null && (
        <>
          <CopyField label={t('webhook.hook.secret')} value={hook.secret} />
          <p className={styles.help}>{t('webhook.hook.once')}</p>
        </>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Button size="s" onClick={() => setRenewing(true)}>
        {t('webhook.hook.renew')}
      </Button>
      <ConfirmDialog
        opened={renewing}
        title={t('webhook.hook.renew')}
        message={t('webhook.hook.renewMessage')}
        confirm={t('webhook.hook.renew')}
        danger
        onConfirm={() => {
          hook.renew()
          setRenewing(false)
        }}
        onClose={() => setRenewing(false)}
      />
      {picking && (
        <FloatingPanel at={picking.button.getBoundingClientRect()} onLeave={() => setPicking(null)}>
          <VariablePicker
            wish={nameInPath(picking.path)}
            onCancel={close}
            onPick={(variableId) => {
              setData({
                mapping: [...data.mapping, { id: newId(), path: picking.path, variableId, required: false }],
              })
              close()
            }}
          />
        </FloatingPanel>
      )}
    </section>
  )
}
