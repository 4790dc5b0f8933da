import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context'
import type { Database } from '../database/tables'
import type { EffectHandler } from '../effects/handleEffect'
import type { Consumer } from '../events/defineConsumer'
import type { HandledJob } from '../jobs/defineJob'
import type { Sweep } from '../jobs/sweeps'

/** The parts of a module while the server runs; all are optional. */
export interface ModuleParts<Provided> {
  /** what modules that need this one get */
  provides?: Provided
  /** registers its routes, after all modules are created */
  routes?: (app: FastifyInstance) => void
  jobs?: readonly HandledJob[]
  sweeps?: readonly Sweep[]
  /** consumers of its own events and of those of modules that it needs */
  consumers?: readonly Consumer[]
  /** handlers of effects that blocks call */
  effects?: readonly EffectHandler[]
  /** called when the server listens: continues what an earlier process left unfinished */
  open?: () => Promise<unknown>
  /** called when a stop begins: cuts running work, which continues at the next start */
  stop?: () => void
  /** called when no job is running any more */
  close?: () => Promise<unknown>
}

/** A module with its types erased, for the composition. */
export interface AnyModule {
  readonly name: string
  readonly purpose: string
  readonly needs: Readonly<Record<string, AnyModule>>
  readonly tables: readonly (keyof Database)[]
  // only the module knows the type of `given`: the composition passes what `needs` says
  create(context: ServerContext, given: never): ModuleParts<unknown>
}

export interface Module<Provided, Needs extends Record<string, AnyModule>> extends AnyModule {
  readonly needs: Needs
  create(context: ServerContext, given: GivenBy<Needs>): ModuleParts<Provided>
}

/** What a module provides. */
export type ProvidedBy<Of extends AnyModule> =
  ReturnType<Of['create']> extends ModuleParts<infer Provided> ? Provided : never
/** What a module's needs provide, by the same names. */
export type GivenBy<Needs extends Record<string, AnyModule>> = { [Name in keyof Needs]: ProvidedBy<Needs[Name]> }

/**
 * Declares a module of the server, in its `module.ts`; server/modules.ts lists them.
 * @param name its folder's name
 * @param purpose what it is for, in one line; shown in server/README.md
 * @param needs modules that it may import, by name
 * @param tables the tables that it owns
 * @param create creates its parts, once per process, from the context and what its needs provide
 */
export function defineModule<Provided, Needs extends Record<string, AnyModule>>(
  module: Module<Provided, Needs>,
): Module<Provided, Needs> {
  return module
}
