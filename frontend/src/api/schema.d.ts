/** Made from the API's OpenAPI description by `npm run api:types`; not edited by hand. */
export interface paths {
    "/api/v1/api-keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["api_keys_list"];
        put?: never;
        /** @description Make a key. The answer is the only place where it is ever shown. */
        post: operations["api_keys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["api_keys_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["credentials_list"];
        put?: never;
        post: operations["credentials_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{credential_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["credentials_retrieve"];
        put?: never;
        post?: never;
        delete: operations["credentials_delete"];
        options?: never;
        head?: never;
        patch: operations["credentials_change"];
        trace?: never;
    };
    "/api/v1/credentials/{credential_id}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Try the credential where it points to; only a model endpoint can be tried. */
        post: operations["credentials_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the workspace limits, with how much runs and waits under each limit. */
        get: operations["limits_list"];
        put?: never;
        post: operations["limits_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/{limit_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["limits_retrieve"];
        put?: never;
        post?: never;
        delete: operations["limits_delete"];
        options?: never;
        head?: never;
        patch: operations["limits_change"];
        trace?: never;
    };
    "/api/v1/limits/installation/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bounds of the whole installation, each with the setting that sets it. */
        get: operations["limits_installation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Give the installation's figures, for its administrators. */
        get: operations["monitoring_retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/node-kinds/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["node_kinds_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["runs_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["runs_retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runs_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The run's log. With `Accept: text/event-stream` it is followed live as Server-Sent Events, whose ids are the sequence numbers, until the run's last event. */
        get: operations["runs_events_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/patches/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The changes of the run's graph, in their order. */
        get: operations["runs_patches_list"];
        put?: never;
        /** @description Change the graph of a run under way: what has not started. */
        post: operations["runs_patch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/pause/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Let nothing new start. What runs goes on to its end. */
        post: operations["runs_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Go on with a paused run, with a larger budget if one is given. */
        post: operations["runs_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/retry/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Go on with a run that failed or was cancelled, from what succeeded. */
        post: operations["runs_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/steps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["runs_steps_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/steps/{step_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["runs_steps_retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/steps/{step_id}/decide/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Let a held step run again, skip it, or count it as failed. */
        post: operations["runs_steps_decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/steps/{step_id}/items/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The items of a map, or the rounds of a loop, in their order. */
        get: operations["runs_steps_items_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Tell who is signed in, and set the cookie that writing needs. */
        get: operations["session_retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signals/{token}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Send what a waiting step waits for; the body becomes its output. */
        post: operations["signals_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflows_list"];
        put?: never;
        post: operations["workflows_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflows_retrieve"];
        put: operations["workflows_save"];
        post?: never;
        delete: operations["workflows_delete"];
        options?: never;
        head?: never;
        patch: operations["workflows_rename"];
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/diff/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflows_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/duplicate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["workflows_duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/export/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Give the document as a file. */
        get: operations["workflows_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/publish/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["workflows_publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/restore/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["workflows_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/runs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflow_runs_list"];
        put?: never;
        post: operations["workflow_runs_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/versions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflows_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/versions/{number}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["workflows_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Make a workflow from a document, from its text, or from its file. */
        post: operations["workflows_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/validate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["workflows_validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            scopes: components["schemas"]["ScopesEnum"][];
            /** Format: date-time */
            created_at: string;
            created_by: components["schemas"]["Person"];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        ApiKeyCreateRequest: {
            name: string;
            scopes: components["schemas"]["ScopesEnum"][];
            /** Format: date-time */
            expires_at?: string | null;
        };
        ApiKeyCreated: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            scopes: components["schemas"]["ScopesEnum"][];
            /** Format: date-time */
            created_at: string;
            created_by: components["schemas"]["Person"];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            key: string;
        };
        /** @enum {string} */
        BackoffEnum: "exponential" | "fixed";
        Bounds: {
            tokens: number | null;
            /** Format: double */
            cost: number | null;
            steps: number | null;
        };
        /** @description A run's budget; runs that it starts spend from the same. */
        Budget: {
            limits: components["schemas"]["Bounds"];
            spent: components["schemas"]["Spent"];
            reserved: components["schemas"]["Reserved"];
            on_exceeded: components["schemas"]["OnExceededEnum"];
        };
        /** @description What a run may spend, as its start asks for it. */
        BudgetWishRequest: {
            /** Format: int64 */
            tokens?: number;
            /** Format: double */
            cost?: number;
            steps?: number;
            /** Format: double */
            wall_s?: number;
            /** @default fail */
            on_exceeded?: components["schemas"]["OnExceededEnum"];
        };
        /** @enum {string} */
        CauseEnum: "inputs" | "slot" | "limit" | "retry" | "time" | "signal" | "workflow" | "items" | "held";
        Change: {
            number: number;
            operations: {
                [key: string]: unknown;
            }[];
            /** Format: uuid */
            step_id: string | null;
            created_by: components["schemas"]["Person"] | null;
            note: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        ChangeRequestRequest: {
            operations: {
                [key: string]: unknown;
            }[];
            /** @description The number of the latest change that was known: plan_version. */
            base: number;
            /** @default  */
            note?: string;
        };
        /** @enum {string} */
        ContainerEnum: "map" | "loop";
        Credential: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["KindEnum"];
            name: string;
            base_url: string;
            models: string[];
            default_model: string;
            prices: {
                [key: string]: components["schemas"]["Price"];
            };
            default: boolean;
            allow_private: boolean;
            hosts: string[];
            username: string;
            header: string;
            secret_hint: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        CredentialCreateRequest: {
            name: string;
            base_url?: string;
            models?: string[];
            default_model?: string;
            prices?: {
                [key: string]: components["schemas"]["PriceRequest"];
            };
            default?: boolean;
            allow_private?: boolean;
            hosts?: string[];
            username?: string;
            header?: string;
            api_key?: string;
            password?: string;
            value?: string;
            kind: components["schemas"]["KindEnum"];
        };
        CredentialTest: {
            ok: boolean;
            message: string;
            models: string[];
            latency_ms: number | null;
        };
        /** @enum {string} */
        DecisionEnum: "rerun" | "skip" | "fail";
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        DecisionRequest: {
            decision: components["schemas"]["DecisionEnum"];
        };
        DiffEdge: {
            from: string;
            to: string;
        };
        DiffEdges: {
            added: components["schemas"]["DiffEdge"][];
            removed: components["schemas"]["DiffEdge"][];
        };
        DiffNode: {
            id: string;
            paths: string[];
        };
        DiffNodes: {
            added: string[];
            removed: string[];
            changed: components["schemas"]["DiffNode"][];
        };
        /**
         * Document
         * @description A workflow as it is saved, exchanged and run.
         */
        Document: {
            /**
             * Schema
             * @constant
             */
            schema: "heddle/1";
            /** Name */
            name: string;
            /**
             * Description
             * @default
             */
            description?: string;
            /** Inputs */
            inputs?: {
                [key: string]: unknown;
            };
            /** Nodes */
            nodes?: components["schemas"]["DocumentNode"][];
            /** Edges */
            edges?: components["schemas"]["DocumentEdge"][];
            /**
             * Deadline S
             * @default null
             */
            deadline_s?: number | null;
            /** @default null */
            budget?: components["schemas"]["DocumentBudget"] | null;
            /** Ui */
            ui?: {
                [key: string]: unknown;
            };
        };
        /**
         * Budget
         * @description What a run may use up, and what happens once it has.
         */
        DocumentBudget: {
            /**
             * Tokens
             * @default null
             */
            tokens?: number | null;
            /**
             * Cost
             * @default null
             */
            cost?: number | null;
            /**
             * Steps
             * @default null
             */
            steps?: number | null;
            /**
             * Wall S
             * @default null
             */
            wall_s?: number | null;
            /**
             * On Exceeded
             * @default fail
             */
            on_exceeded?: components["schemas"]["OnExceededEnum"];
        };
        /**
         * Cache
         * @description Whether a result may be reused. `off` runs the node every time.
         */
        DocumentCache: {
            /**
             * Mode
             * @default off
             * @constant
             */
            mode?: "off";
        };
        /**
         * Edge
         * @description A connection. Each end is a node's id, or `id:port`.
         */
        DocumentEdge: {
            /** From */
            from: string;
            /** To */
            to: string;
        };
        /**
         * Node
         * @description One node as its author wrote it. `config` belongs to the kind and is checked by it.
         */
        DocumentNode: {
            /** Id */
            id: string;
            /** Kind */
            kind: string;
            /**
             * Kind Version
             * @default null
             */
            kind_version?: number | null;
            /**
             * Label
             * @default
             */
            label?: string;
            /** Config */
            config?: {
                [key: string]: unknown;
            };
            /**
             * @default {
             *       "timeout_s": null,
             *       "queue_timeout_s": null,
             *       "idle_timeout_s": null,
             *       "retry": {
             *         "backoff": "exponential",
             *         "initial_s": 1,
             *         "max_attempts": 1,
             *         "max_s": 30,
             *         "on": []
             *       },
             *       "on_error": "fail",
             *       "cache": {
             *         "mode": "off"
             *       },
             *       "on_lost": null
             *     }
             */
            policy?: components["schemas"]["DocumentPolicy"];
            /**
             * Disabled
             * @default false
             */
            disabled?: boolean;
            /**
             * Parent
             * @default null
             */
            parent?: string | null;
        };
        /**
         * Policy
         * @description What the engine does around a node's own work.
         */
        DocumentPolicy: {
            /**
             * Timeout S
             * @default null
             */
            timeout_s?: number | null;
            /**
             * Queue Timeout S
             * @default null
             */
            queue_timeout_s?: number | null;
            /**
             * Idle Timeout S
             * @default null
             */
            idle_timeout_s?: number | null;
            /**
             * @default {
             *       "max_attempts": 1,
             *       "backoff": "exponential",
             *       "initial_s": 1,
             *       "max_s": 30,
             *       "on": []
             *     }
             */
            retry?: components["schemas"]["DocumentRetry"];
            /**
             * On Error
             * @default fail
             */
            on_error?: components["schemas"]["OnErrorEnum"];
            /**
             * @default {
             *       "mode": "off"
             *     }
             */
            cache?: components["schemas"]["DocumentCache"];
            /**
             * On Lost
             * @default null
             */
            on_lost?: ("rerun" | "hold" | "fail") | null;
        };
        /**
         * Retry
         * @description How often and how soon a failed attempt is repeated; waits are drawn up to the bound.
         */
        DocumentRetry: {
            /**
             * Max Attempts
             * @default 1
             */
            max_attempts?: number;
            /**
             * Backoff
             * @default exponential
             */
            backoff?: components["schemas"]["BackoffEnum"];
            /**
             * Initial S
             * @default 1
             */
            initial_s?: number;
            /**
             * Max S
             * @default 30
             */
            max_s?: number;
            /** On */
            on?: string[];
        };
        DynamicPorts: {
            field: string;
            key: string;
            also: string | null;
        };
        /** @enum {string} */
        EffectsEnum: "none" | "paid" | "outward" | "depends";
        Failure: {
            kind: string;
            code: string;
            count: number;
            /** Format: uuid */
            last_run_id: string;
            /** Format: date-time */
            last_at: string;
        };
        /** @enum {string} */
        FamilyEnum: "in_out" | "data" | "calls" | "control";
        /** @enum {string} */
        FormatEnum: "json" | "yaml";
        Health: {
            postgres: components["schemas"]["PostgresHealth"];
            redis: components["schemas"]["RedisHealth"];
        };
        InstallationLimit: {
            name: string;
            value: number;
            meaning: string;
        };
        InstallationLimits: {
            results: components["schemas"]["InstallationLimit"][];
        };
        Issue: {
            code: string;
            message: string;
            node_id: string | null;
            path: string;
            severity: components["schemas"]["SeverityEnum"];
        };
        /** @description One item of a map, or one round of a loop. */
        Item: {
            /** @description Steps inside are listed by it. */
            scope: number;
            index: number;
            path: string;
            status: components["schemas"]["StepStatus"];
            /** @description Steps directly inside that have not ended. */
            open: number;
            result: unknown | null;
            readonly has_large_result: boolean;
        };
        /** @enum {string} */
        KindEnum: "openai" | "http_bearer" | "http_basic" | "http_header";
        KindForm: {
            order: string[];
        };
        Lane: {
            lane: string;
            ready: number;
            running: number;
            /** Format: double */
            oldest_wait_s: number | null;
        };
        Latency: {
            wait: components["schemas"]["Percentiles"];
            step: components["schemas"]["Percentiles"];
            run: components["schemas"]["Percentiles"];
        };
        Limit: {
            /** Format: uuid */
            id: string;
            target: components["schemas"]["TargetEnum"];
            key: string;
            max_running: number | null;
            rate: number | null;
            /** Format: double */
            per_s: number;
            /** @description Steps that run and count for it. */
            running: number;
            /** @description Steps that are ready and will count for it. */
            waiting: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        LimitCreateRequest: {
            max_running?: number | null;
            rate?: number | null;
            /** Format: double */
            per_s?: number;
            target: components["schemas"]["TargetEnum"];
            /** @default  */
            key?: string;
        };
        Minute: {
            /** Format: date-time */
            minute: string;
            steps: number;
            runs: number;
        };
        Monitoring: {
            workers: components["schemas"]["Worker"][];
            lanes: components["schemas"]["Lane"][];
            runs: components["schemas"]["RunCounts"];
            throughput: components["schemas"]["Throughput"];
            latency: components["schemas"]["Latency"];
            failures: components["schemas"]["Failure"][];
            health: components["schemas"]["Health"];
        };
        NodeKind: {
            kind: string;
            version: number;
            title: string;
            summary: string;
            family: components["schemas"]["FamilyEnum"];
            icon: string;
            lane: string;
            inline: boolean;
            effects: components["schemas"]["EffectsEnum"];
            deterministic: boolean;
            in_ports: components["schemas"]["Port"][];
            out_ports: components["schemas"]["Port"][];
            dynamic_ports: components["schemas"]["DynamicPorts"] | null;
            /** @description It holds nodes, and runs them for each item or round after round. */
            container: components["schemas"]["ContainerEnum"] | components["schemas"]["NullEnum"];
            /** @description Settings that are evaluated for each item or round, from what is inside. */
            deferred: string[];
            config_schema: {
                [key: string]: unknown;
            };
            ui: components["schemas"]["KindForm"];
        };
        NodeKindList: {
            results: components["schemas"]["NodeKind"][];
            next: string | null;
            previous: string | null;
        };
        NullEnum: null;
        /** @enum {string} */
        OnErrorEnum: "fail" | "continue" | "route";
        /** @enum {string} */
        OnExceededEnum: "fail" | "pause";
        PaginatedApiKeyList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["ApiKey"][];
        };
        PaginatedChangeList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Change"][];
        };
        PaginatedCredentialList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Credential"][];
        };
        PaginatedItemList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Item"][];
        };
        PaginatedLimitList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["Limit"][];
        };
        PaginatedRunRowList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["RunRow"][];
        };
        PaginatedStepRowList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["StepRow"][];
        };
        PaginatedWorkflowRowList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["WorkflowRow"][];
        };
        PaginatedWorkflowVersionList: {
            /** Format: uri */
            next: string | null;
            /** Format: uri */
            previous: string | null;
            results: components["schemas"]["WorkflowVersion"][];
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        PatchedCredentialChangeRequest: {
            name?: string;
            base_url?: string;
            models?: string[];
            default_model?: string;
            prices?: {
                [key: string]: components["schemas"]["PriceRequest"];
            };
            default?: boolean;
            allow_private?: boolean;
            hosts?: string[];
            username?: string;
            header?: string;
            api_key?: string;
            password?: string;
            value?: string;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        PatchedLimitChangeRequest: {
            max_running?: number | null;
            rate?: number | null;
            /** Format: double */
            per_s?: number;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        PatchedWorkflowRenameRequest: {
            name?: string;
        };
        Percentiles: {
            /** Format: double */
            p50: number | null;
            /** Format: double */
            p95: number | null;
        };
        Person: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        Port: {
            name: string;
            title: string;
        };
        PostgresHealth: {
            ok: boolean;
            /** Format: double */
            latency_ms: number | null;
            version: string | null;
            size_bytes: number | null;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        Price: {
            /** Format: double */
            input: number;
            /** Format: double */
            output: number;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        PriceRequest: {
            /** Format: double */
            input: number;
            /** Format: double */
            output: number;
        };
        Problem: {
            code: string;
            detail: string;
            issues?: components["schemas"]["Issue"][];
        };
        /** @description How far a map or loop has got. */
        Progress: {
            total: number | null;
            begun: number;
            done: number;
            failed: number;
        };
        RedisHealth: {
            ok: boolean;
            /** Format: double */
            latency_ms: number | null;
            version: string | null;
            memory_bytes: number | null;
        };
        Reserved: {
            tokens: number;
            /** Format: double */
            cost: number;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        ResumeRequest: {
            budget?: components["schemas"]["BudgetWishRequest"];
        };
        RevisionConflict: {
            code: string;
            detail: string;
            mine: components["schemas"]["WorkflowMine"];
            theirs: components["schemas"]["WorkflowTheirs"];
        };
        /** @enum {string} */
        RoleEnum: "owner";
        Run: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflow_id: string;
            workflow_name: string;
            version: number | null;
            status: components["schemas"]["RunStatus"];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["RunUsage"] | null;
            timings: components["schemas"]["RunTimings"] | null;
            steps: components["schemas"]["StepCounts"];
            priority: number;
            trigger: components["schemas"]["TriggerEnum"];
            created_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            deadline_at: string | null;
            seq: number;
            /** Format: uuid */
            parent_run_id: string | null;
            plan_version: number;
            waited: components["schemas"]["RunWaited"];
            budget: components["schemas"]["Budget"] | null;
            inputs: {
                [key: string]: unknown;
            };
            outputs: {
                [key: string]: unknown;
            } | null;
            critical_path: string[];
            document: components["schemas"]["Document"];
        };
        RunCounts: {
            by_status: {
                [key: string]: number;
            };
            finished_within_s: number;
        };
        RunError: {
            code: string;
            message: string;
            retryable: boolean;
            node_id: string | null;
        };
        RunEvent: {
            seq: number;
            type: string;
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            step_id: string | null;
            node: string | null;
            path: string | null;
            attempt: number | null;
            data: {
                [key: string]: unknown;
            };
        };
        RunEventPage: {
            results: components["schemas"]["RunEvent"][];
            next: number | null;
            ended: boolean;
        };
        RunRow: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflow_id: string;
            workflow_name: string;
            version: number | null;
            status: components["schemas"]["RunStatus"];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["RunUsage"] | null;
            timings: components["schemas"]["RunTimings"] | null;
            steps: components["schemas"]["StepCounts"];
            priority: number;
            trigger: components["schemas"]["TriggerEnum"];
            created_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            deadline_at: string | null;
            seq: number;
            /** Format: uuid */
            parent_run_id: string | null;
            plan_version: number;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        RunStartRequest: {
            inputs?: {
                [key: string]: unknown;
            };
            version?: number | "draft";
            /** Format: double */
            deadline_s?: number;
            /** @default 0 */
            priority?: number;
            budget?: components["schemas"]["BudgetWishRequest"];
        };
        /** @enum {string} */
        RunStatus: "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";
        RunTimings: {
            /** Format: double */
            wall_s: number;
            /** Format: double */
            work_s: number;
            /** Format: double */
            span_s: number | null;
            /** Format: double */
            speed_up: number | null;
        };
        RunUsage: {
            input_tokens: number;
            output_tokens: number;
            /** Format: double */
            cost: number | null;
        };
        /** @description Seconds for which steps waited, summed over the run's steps. */
        RunWaited: {
            /** Format: double */
            inputs_s: number;
            /** Format: double */
            slot_s: number;
            /** Format: double */
            limit_s: number;
            /** Format: double */
            retry_s: number;
        };
        /** @enum {string} */
        ScopesEnum: "read" | "run" | "write";
        Session: {
            user: components["schemas"]["SessionUser"] | null;
            workspaces: components["schemas"]["SessionWorkspace"][];
            csrf: boolean;
        };
        SessionUser: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            name: string;
            is_admin: boolean;
        };
        SessionWorkspace: {
            /** Format: uuid */
            id: string;
            name: string;
            role: components["schemas"]["RoleEnum"];
        };
        /** @enum {string} */
        SeverityEnum: "error" | "warning";
        Spent: {
            tokens: number;
            /** Format: double */
            cost: number;
            steps: number;
        };
        /** @enum {string} */
        StateEnum: "alive" | "stopping" | "stopped" | "dead";
        Step: {
            /** Format: uuid */
            id: string;
            node: string;
            path: string;
            kind: string;
            lane: string;
            status: components["schemas"]["StepStatus"];
            attempt: number;
            failures: number;
            losses: number;
            /** Format: date-time */
            ready_at: string | null;
            /** Format: date-time */
            not_before: string | null;
            /** Format: date-time */
            waiting_until: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            ports: string[];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["RunUsage"] | null;
            reason: string;
            /** @description The item or round it runs in; 0 at the top. */
            scope: number;
            /** Format: uuid */
            child_run_id: string | null;
            readonly progress: components["schemas"]["Progress"] | null;
            readonly output_preview: string | null;
            readonly output_size: number | null;
            output: unknown | null;
            output_truncated: boolean;
            why_waiting: components["schemas"]["WhyWaiting"] | null;
            /** Format: uri */
            signal_url: string | null;
        };
        StepCounts: {
            total: number;
            pending: number;
            ready: number;
            running: number;
            waiting: number;
            succeeded: number;
            failed: number;
            skipped: number;
            cancelled: number;
            held: number;
        };
        StepRow: {
            /** Format: uuid */
            id: string;
            node: string;
            path: string;
            kind: string;
            lane: string;
            status: components["schemas"]["StepStatus"];
            attempt: number;
            failures: number;
            losses: number;
            /** Format: date-time */
            ready_at: string | null;
            /** Format: date-time */
            not_before: string | null;
            /** Format: date-time */
            waiting_until: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            ports: string[];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["RunUsage"] | null;
            reason: string;
            /** @description The item or round it runs in; 0 at the top. */
            scope: number;
            /** Format: uuid */
            child_run_id: string | null;
            readonly progress: components["schemas"]["Progress"] | null;
            readonly output_preview: string | null;
            readonly output_size: number | null;
        };
        /** @enum {string} */
        StepStatus: "pending" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "skipped" | "cancelled" | "held";
        /** @enum {string} */
        TargetEnum: "credential" | "model" | "workflow" | "workspace";
        Throughput: {
            per_minute: components["schemas"]["Minute"][];
        };
        /** @enum {string} */
        TriggerEnum: "browser" | "api" | "cli" | "workflow";
        Validation: {
            issues: components["schemas"]["Issue"][];
        };
        WhyWaiting: {
            cause: components["schemas"]["CauseEnum"];
            text: string;
            nodes?: string[];
            lane?: string;
            ahead?: number;
            until?: string | null;
            limit?: string;
            /** Format: uuid */
            run_id?: string;
        };
        Worker: {
            /** Format: uuid */
            id: string;
            host: string;
            pid: number;
            lane: string;
            slots: number;
            in_use: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            heartbeat_at: string;
            state: components["schemas"]["StateEnum"];
        };
        Workflow: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            revision: number;
            node_count: number;
            issue_count: number;
            latest_version: number | null;
            draft_changed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            owner: components["schemas"]["Person"] | null;
            document: components["schemas"]["Document"];
            issues: components["schemas"]["Issue"][];
            updated_by: components["schemas"]["Person"] | null;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        WorkflowCreateRequest: {
            document: components["schemas"]["Document"];
        };
        WorkflowDiff: {
            nodes: components["schemas"]["DiffNodes"];
            edges: components["schemas"]["DiffEdges"];
            text: string;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        WorkflowImportRequest: {
            document?: components["schemas"]["Document"];
            text?: string;
            format?: components["schemas"]["FormatEnum"];
        };
        WorkflowLastRun: {
            /** Format: uuid */
            id: string;
            status: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        WorkflowMine: {
            revision: number;
            document: components["schemas"]["Document"];
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        WorkflowPublishRequest: {
            /** @default  */
            note?: string;
        };
        WorkflowRecentRun: {
            /** Format: uuid */
            id: string;
            status: string;
            /** Format: double */
            wall_s: number | null;
        };
        WorkflowRow: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            revision: number;
            node_count: number;
            issue_count: number;
            latest_version: number | null;
            draft_changed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            owner: components["schemas"]["Person"] | null;
            last_run: components["schemas"]["WorkflowLastRun"] | null;
            recent_runs: components["schemas"]["WorkflowRecentRun"][];
            /** Format: double */
            median_s: number | null;
        };
        /** @description A body whose every key is declared; an unknown or read-only one is refused by name. */
        WorkflowSaveRequest: {
            document: components["schemas"]["Document"];
            revision: number;
        };
        WorkflowTheirs: {
            revision: number;
            document: components["schemas"]["Document"];
            /** Format: date-time */
            updated_at: string;
            updated_by: components["schemas"]["Person"] | null;
        };
        WorkflowVersion: {
            number: number;
            note: string;
            published_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            created_at: string;
        };
        WorkflowVersionDetail: {
            number: number;
            note: string;
            published_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            created_at: string;
            document: components["schemas"]["Document"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    api_keys_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedApiKeyList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    api_keys_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    api_keys_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedCredentialList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedCredentialChangeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    credentials_test: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTest"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedLimitList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedLimitChangeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_installation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationLimits"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    monitoring_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitoring"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    node_kinds_list: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeKindList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                /** @description Which field to use when ordering the results. */
                ordering?: string;
                status?: ("cancelled" | "failed" | "paused" | "queued" | "running" | "succeeded")[];
                workflow?: string;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedRunRowList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_events_list: {
        parameters: {
            query?: {
                /** @description Only events behind this number. */
                after?: number;
                /** @description At most so many, up to 1000. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEventPage"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_patches_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedChangeList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRequestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_pause: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_retry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_steps_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                node?: string;
                scope?: number;
                status?: ("cancelled" | "failed" | "held" | "pending" | "ready" | "running" | "skipped" | "succeeded" | "waiting")[];
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedStepRowList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_steps_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Step"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_steps_decide: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Step"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_steps_items_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                status?: ("cancelled" | "failed" | "held" | "pending" | "ready" | "running" | "skipped" | "succeeded" | "waiting")[];
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedItemList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signals_send: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description No response body */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                /** @description Which field to use when ordering the results. */
                ordering?: string;
                /** @description A search term. */
                search?: string;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedWorkflowRowList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_retrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_save: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowSaveRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionConflict"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_rename: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedWorkflowRenameRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionConflict"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_diff: {
        parameters: {
            query: {
                /** @description A version's number, or `draft`. */
                from: string;
                /** @description A version's number, or `draft`. */
                to: string;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDiff"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_duplicate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_export: {
        parameters: {
            query?: {
                format?: "json" | "yaml";
                /** @description A version's number, or `draft`. */
                version?: string;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "application/yaml": string;
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_publish: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowPublishRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionDetail"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionDetail"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflow_runs_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedRunRowList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflow_runs_start: {
        parameters: {
            query?: {
                /** @description Hold the answer until the run ends, at most so many seconds. */
                wait?: number;
            };
            header?: {
                /** @description The same key with the same body gives the same run again. */
                "Idempotency-Key"?: string;
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunStartRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_versions: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedWorkflowVersionList"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_version: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path: {
                number: number;
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionDetail"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_import: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowImportRequest"];
                "application/yaml": string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_validate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace that is meant; by default the person's first, or the key's. */
                "Heddle-Workspace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowCreateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
            /** @description Refused; `code` is stable, `detail` is for people. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
