BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE answers (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	page TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	answer_id TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	started_at DATETIME, 
	answered_at DATETIME NOT NULL, 
	rt_ms FLOAT, 
	client TEXT NOT NULL, 
	received_at DATETIME NOT NULL, 
	CONSTRAINT pk_answers PRIMARY KEY (id), 
	CONSTRAINT fk_answers_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id), 
	CONSTRAINT uq_answers_answer_id UNIQUE (answer_id), 
	CONSTRAINT uq_answers_participant_id_page_revision UNIQUE (participant_id, page, revision)
);
INSERT INTO "answers" VALUES(1,1,'quality-1',0,'first-0','{"ratings":{"clarity":4},"comment":"grün, \"so\""}','2026-03-01 12:00:00.000000','2026-03-01 12:00:03.000000',3000.5,'{"pointer":"fine"}','2026-03-01 12:00:04.000000');
INSERT INTO "answers" VALUES(2,1,'quality-1',1,'first-1','{"ratings":{"clarity":5},"comment":"grün, \"so\""}','2026-03-01 12:00:00.000000','2026-03-01 12:00:03.000000',3000.5,'{"pointer":"fine"}','2026-03-01 12:00:05.000000');
INSERT INTO "answers" VALUES(3,2,'quality-1',0,'other','{"ratings":{"clarity":2}}',NULL,'2026-03-01 12:02:00.000000',NULL,'{}','2026-03-01 12:02:00.000000');
CREATE TABLE participants (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	token_hash TEXT NOT NULL, 
	cohort TEXT NOT NULL, 
	slot INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	valid BOOLEAN NOT NULL, 
	started_at DATETIME NOT NULL, 
	last_seen_at DATETIME NOT NULL, 
	completed_at DATETIME, 
	external_id TEXT, 
	CONSTRAINT pk_participants PRIMARY KEY (id), 
	CONSTRAINT uq_participants_code UNIQUE (code), 
	CONSTRAINT uq_participants_token_hash UNIQUE (token_hash)
);
INSERT INTO "participants" VALUES(1,'p-xhjd2z','66f481e2a5370ab4aa3eed18e15e3fbc6a05a9545519cfc35aa5ce24a63751e4','',1,'completed',1,'2026-03-01 12:00:00.000000','2026-03-01 12:09:00.000000','2026-03-01 12:09:00.000000','5f3c');
INSERT INTO "participants" VALUES(2,'p-swvfr7','95e915c5da10e5fbd74ff3e8f326449c5b49dd6fe40574d78f70f6408ec8d56a','',2,'active',1,'2026-03-01 12:01:00.000000','2026-03-01 12:02:00.000000',NULL,NULL);
CREATE TABLE secrets (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('join','the-link-of-this-study');
CREATE INDEX ix_participants_cohort_slot ON participants (cohort, slot);
CREATE INDEX ix_participants_slot ON participants (slot);
COMMIT;
