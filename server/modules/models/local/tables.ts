import type { Generated } from 'kysely'
import type { LocalModel } from '../../../contracts/localModels'

/** Rows of embedding models that lie on this machine (migrations 0390, 0391). */
declare module '../../../platform/database/tables' {
  interface Database {
    local_models: LocalModelsTable
  }
}

export interface LocalModelsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  /** null: its files were uploaded */
  address: string | null
  state: LocalModel['state']
  problem: string | null
  loaded_bytes: Generated<string>
  total_bytes: string | null
  licence: string | null
  sha256: string | null
  dimension: number | null
  tokens: number | null
  in_use: Generated<boolean>
  /** null: not checked yet */
  kind: LocalModel['kind']
  question_prefix: Generated<string>
  passage_prefix: Generated<string>
  pooling: Generated<LocalModel['pooling']>
  /** attempts one after another that brought nothing */
  stalled: Generated<number>
  created_at: Date
  updated_at: Date
}
