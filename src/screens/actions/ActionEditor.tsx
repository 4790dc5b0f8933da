import { Trash2 } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type AgentAction, agentActionSchema } from '../../../engine/values/agentActions'
import type { StoredAction } from '../../../server/contracts/actions'
import { useCan } from '../../api/account'
import { rereadAction, useActionChanges, useActionTest } from '../../api/actions'
import { ApiFailure, failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/sources'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { LeaveGuard } from '../../ui/LeaveGuard'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ActionForm } from './ActionForm'
import styles from './actions.module.css'
import { DeleteAction } from './DeleteAction'
import { type Draft, DraftContext } from './draft'
import { TestPanel } from './TestPanel'

interface ActionEditorProps {
  place: ChatbotPlace
  /** null: a new one */
  stored: StoredAction | null
  begin: AgentAction
}

/** The form of an action, with a panel for trying it out. */
export function ActionEditor({ place, stored: first, begin }: ActionEditorProps) {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [stored, setStored] = useState(first)
  const [action, setAction] = useState(begin)
  const [tried, setTried] = useState(false)
  const [removing, setRemoving] = useState(false)
  const saved = useRef(begin)
  // the form's state at the moment of leaving, possibly before the next render
  const latest = useRef(action)
  latest.current = action
  const { create, update } = useActionChanges(place)
  const mayCreate = useCan('actions.create')
  const mayUpdate = useCan('actions.update')
  const mayDelete = useCan('actions.delete')
  const list = `/projects/${place.pgid}/chatbots/${place.cgid}/actions`
  const run = useActionTest(place)
  const failure = create.error ?? update.error
  const refused = { ...refusedFields(run.error), ...refusedFields(failure) }
  const own = tried ? fieldErrors(agentActionSchema, action) : {}
  const isConflict = failure instanceof ApiFailure && failure.status === 409
  const draft: Draft = {
    action,
    errors: { ...refused, ...own },
    readOnly: !(stored ? mayUpdate : mayCreate),
    change(part) {
      create.reset()
      update.reset()
      if (run.error) run.reset()
      setAction({ ...action, ...part } as AgentAction)
    },
  }
  /** @returns the validated action, or null after showing errors at the fields */
  const check = (): AgentAction | null => {
    setTried(true)
    return agentActionSchema.safeParse(action).data ?? null
  }
  const done = (result: StoredAction) => {
    saved.current = result.action
    latest.current = result.action
    setAction(result.action)
    setStored(result)
    setTried(false)
    notify.success(t('saved'))
    if (!stored) void navigate(`${list}/${result.gid}`, { replace: true })
  }
  const save = (was = stored?.updated_at) => {
    const checked = check()
    if (!checked) return
    if (stored && was) update.mutate({ gid: stored.gid, action: checked, was }, { onSuccess: done })
    else create.mutate(checked, { onSuccess: done })
  }
  const saveOver = async () => {
    if (stored) save((await rereadAction(place, stored.gid).catch(() => stored)).updated_at)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save()
  }
  const wrong = Object.keys(draft.errors).length
  return (
    <DraftContext value={draft}>
      <PageHeader
        title={stored ? stored.action.name : t(`kind.${action.kind}.name`)}
        description={t(`kind.${action.kind}.does`)}
        actions={
          <>
            <Button to={list}>{t('toList')}</Button>
            {stored && mayDelete && (
              <Button icon={<Trash2 />} onClick={() => setRemoving(true)}>
                {t('delete.confirm')}
              </Button>
            )}
          </>
        }
      />
      <div className={styles.editor}>
        <form className={styles.form} onSubmit={submit} noValidate>
          <ActionForm />
          {!draft.readOnly && (
            <div className={styles.save}>
              <p role="alert" className={styles.error}>
                {wrong > 0
                  ? t('wrong', { count: wrong })
                  : failure
                    ? failureText(failure, common('errors.message'))
                    : null}
              </p>
              {isConflict && <Button onClick={() => void saveOver()}>{t('saveOver')}</Button>}
              <Button type="submit" design="primary" loading={create.isPending || update.isPending}>
                {common('actions.save')}
              </Button>
            </div>
          )}
        </form>
        <TestPanel gid={stored?.gid ?? null} onCheck={check} run={run} />
      </div>
      {removing && stored && (
        <DeleteAction
          place={place}
          stored={stored}
          onDeleted={() => {
            saved.current = action
            void navigate(list, { replace: true })
          }}
          onClose={() => setRemoving(false)}
        />
      )}
      <LeaveGuard
        isUnsaved={() => !draft.readOnly && saved.current !== latest.current && !same(saved.current, latest.current)}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </DraftContext>
  )
}

const same = (a: AgentAction, b: AgentAction) => JSON.stringify(a) === JSON.stringify(b)

/** The server's errors by field; bodies of updates and test runs contain the action under `action`. */
const refusedFields = (error: unknown) =>
  Object.fromEntries(
    Object.entries(error instanceof ApiFailure ? error.fields : {}).map(([path, problem]) => [
      path.replace(/^action\./, ''),
      problem,
    ]),
  )
