call core.detail('pressing.type_vetement_detail', 'pressing.type_vetement_vue', 'id_type_vetement');
comment on function pressing.type_vetement_detail is 'Un type de vêtement du catalogue.';
